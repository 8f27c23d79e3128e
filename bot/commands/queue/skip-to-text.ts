import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'skipto',
    'Skip to a track in the queue',
    { position: ['position', 'Position in /queue; 1 is the next track'] },
  ] as const satisfies Label,
  words: { skipped: (track: string) => `Skipped to ${track}` },
}

/** Texts of `/skipto`. */
export const skipToText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'springe-zu',
      'Springt zu einem Titel in der Warteschlange',
      { position: ['stelle', 'Stelle in /queue; 1 ist der nächste Titel'] },
    ],
    words: { skipped: (track) => `Springe zu ${track}` },
  },
  fr: {
    label: [
      'passer-à',
      'Passe directement à un titre de la file',
      { position: ['position', 'Position dans /queue ; 1 est le prochain'] },
    ],
    words: { skipped: (track) => `Passage à ${track}` },
  },
  'es-ES': {
    label: [
      'saltar-a',
      'Salta a una pista de la cola',
      { position: ['posición', 'Posición en /queue; 1 es la siguiente'] },
    ],
    words: { skipped: (track) => `Saltando a ${track}` },
  },
  'pt-BR': {
    label: ['pular-para', 'Pula para uma faixa da fila', { position: ['posição', 'Posição em /queue; 1 é a próxima'] }],
    words: { skipped: (track) => `Pulando para ${track}` },
  },
  ja: {
    label: ['曲へスキップ', 'キューの曲までスキップします', { position: ['位置', '/queue の番号。1 が次の曲です'] }],
    words: { skipped: (track) => `${track} までスキップしました` },
  },
}
