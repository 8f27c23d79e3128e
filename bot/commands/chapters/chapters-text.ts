import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: ['chapters', 'Show the chapters of the current track and jump to one'] as const satisfies Label,
  words: {
    title: (track: string) => `Chapters of ${track}`,
    choose: 'Jump to a chapter',
    summary: (count: number) => `${count} chapters`,
  },
}

/** Texts of `/chapters`. */
export const chaptersText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['kapitel', 'Zeigt die Kapitel des laufenden Titels und springt zu einem'],
    words: {
      title: (track) => `Kapitel von ${track}`,
      choose: 'Zu einem Kapitel springen',
      summary: (count) => `${count} Kapitel`,
    },
  },
  fr: {
    label: ['chapitres', 'Montre les chapitres du titre en cours et va à l’un d’eux'],
    words: {
      title: (track) => `Chapitres de ${track}`,
      choose: 'Aller à un chapitre',
      summary: (count) => `${count} chapitres`,
    },
  },
  'es-ES': {
    label: ['capítulos', 'Muestra los capítulos de la pista actual y salta a uno'],
    words: {
      title: (track) => `Capítulos de ${track}`,
      choose: 'Saltar a un capítulo',
      summary: (count) => `${count} capítulos`,
    },
  },
  'pt-BR': {
    label: ['capítulos', 'Mostra os capítulos da faixa atual e pula para um'],
    words: {
      title: (track) => `Capítulos de ${track}`,
      choose: 'Pular para um capítulo',
      summary: (count) => `${count} capítulos`,
    },
  },
  ja: {
    label: ['チャプター', '再生中の曲のチャプターを表示して移動します'],
    words: {
      title: (track) => `${track} のチャプター`,
      choose: 'チャプターへ移動',
      summary: (count) => `全 ${count} チャプター`,
    },
  },
}
