import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'skipto',
    'Skip to a track that waits',
    { position: ['position', 'As /queue shows it; 1 is the next one up'] },
  ] as const satisfies Label,
  words: { skipped: (track: string) => `Skipped to ${track}` },
}

/** Texts of `/skipto`. */
export const skipToText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'springe-zu',
      'Springt zu einem Titel, der wartet',
      { position: ['stelle', 'Wie /queue sie zeigt; 1 kommt als Nächstes'] },
    ],
    words: { skipped: (track) => `Gesprungen zu ${track}` },
  },
  fr: {
    label: [
      'passer-à',
      'Passe directement à un titre de la file',
      { position: ['position', 'Comme /queue la montre ; 1 est le prochain'] },
    ],
    words: { skipped: (track) => `Passé directement à ${track}` },
  },
  'es-ES': {
    label: [
      'saltar-a',
      'Salta a una pista de la cola',
      { position: ['posición', 'Como la muestra /queue; 1 es la siguiente'] },
    ],
    words: { skipped: (track) => `Se ha saltado a ${track}` },
  },
  'pt-BR': {
    label: [
      'pular-para',
      'Pula para uma faixa da fila',
      { position: ['posição', 'Como /queue mostra; 1 é a próxima'] },
    ],
    words: { skipped: (track) => `Pulado para ${track}` },
  },
  ja: {
    label: [
      '曲へスキップ',
      'キューの曲までスキップします',
      { position: ['位置', '/queue に表示される番号。1 が次の曲です'] },
    ],
    words: { skipped: (track) => `${track} までスキップしました` },
  },
}
