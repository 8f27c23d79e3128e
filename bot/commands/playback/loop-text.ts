import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'loop',
    'Repeat the track or the queue',
    { mode: ['mode', 'What to repeat', { off: 'Off', track: 'This track', queue: 'The queue' }] },
  ] as const satisfies Label,
  words: {
    off: 'Loop: off',
    track: 'Loop: this track',
    queue: 'Loop: the whole queue',
  },
}

/** Texts of `/loop`. */
export const loopText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'wiederholen',
      'Wiederholt den Titel oder die Warteschlange',
      { mode: ['was', 'Was wiederholt wird', { off: 'Nichts', track: 'Diesen Titel', queue: 'Die Warteschlange' }] },
    ],
    words: {
      off: 'Wiederholung: aus',
      track: 'Wiederholung: dieser Titel',
      queue: 'Wiederholung: die ganze Warteschlange',
    },
  },
  fr: {
    label: [
      'répéter',
      'Répète le titre ou la file',
      { mode: ['mode', 'Quoi répéter', { off: 'Rien', track: 'Ce titre', queue: 'La file' }] },
    ],
    words: {
      off: 'Répétition : désactivée',
      track: 'Répétition : ce titre',
      queue: 'Répétition : toute la file',
    },
  },
  'es-ES': {
    label: [
      'repetir',
      'Repite la pista o la cola',
      { mode: ['modo', 'Qué se repite', { off: 'Nada', track: 'Esta pista', queue: 'La cola' }] },
    ],
    words: {
      off: 'Repetición: desactivada',
      track: 'Repetición: esta pista',
      queue: 'Repetición: toda la cola',
    },
  },
  'pt-BR': {
    label: [
      'repetir',
      'Repete a faixa ou a fila',
      { mode: ['modo', 'O que se repete', { off: 'Nada', track: 'Esta faixa', queue: 'A fila' }] },
    ],
    words: {
      off: 'Repetição: desligada',
      track: 'Repetição: esta faixa',
      queue: 'Repetição: a fila toda',
    },
  },
  ja: {
    label: [
      'リピート',
      '曲またはキューを繰り返します',
      { mode: ['対象', '何を繰り返すか', { off: 'オフ', track: 'この曲', queue: 'キュー全体' }] },
    ],
    words: {
      off: 'リピート：オフ',
      track: 'リピート：この曲',
      queue: 'リピート：キュー全体',
    },
  },
}
