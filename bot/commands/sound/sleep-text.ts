import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'sleep',
    'Let the music end by itself',
    {
      minutes: ['minutes', 'In how many minutes'],
      until: [
        'until',
        'Or at the end of what plays; or not at all',
        { track: 'The end of this track', off: 'No timer' },
      ],
    },
  ] as const satisfies Label,
  words: {
    endsIn: (relative: string) => `Good night: the music fades out ${relative}.`,
    endsWithTrack: 'The music ends with this track.',
    off: 'The sleep timer is off.',
    eitherOr: 'Give either minutes or a choice of “until”.',
  },
}

/** Texts of `/sleep`. */
export const sleepText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'einschlafen',
      'Lässt die Musik von selbst enden',
      {
        minutes: ['minuten', 'In wie vielen Minuten'],
        until: [
          'bis',
          'Oder am Ende von dem, was läuft; oder gar nicht',
          { track: 'Bis dieser Titel endet', off: 'Kein Timer' },
        ],
      },
    ],
    words: {
      endsIn: (relative) => `Gute Nacht: Die Musik klingt ${relative} aus.`,
      endsWithTrack: 'Die Musik endet mit diesem Titel.',
      off: 'Der Einschlaf-Timer ist aus.',
      eitherOr: 'Gib entweder eine Zahl von Minuten oder „bis“ an.',
    },
  },
  fr: {
    label: [
      'minuterie',
      'Arrête la musique d’elle-même',
      {
        minutes: ['minutes', 'Dans combien de minutes'],
        until: [
          'jusqu-à',
          'Ou à la fin du titre en cours ; ou pas du tout',
          { track: 'La fin de ce titre', off: 'Pas de minuterie' },
        ],
      },
    ],
    words: {
      endsIn: (relative) => `Bonne nuit : la musique s’éteindra ${relative}.`,
      endsWithTrack: 'La musique s’arrêtera à la fin de ce titre.',
      off: 'La minuterie est désactivée.',
      eitherOr: 'Indique soit un nombre de minutes, soit « jusqu-à ».',
    },
  },
  'es-ES': {
    label: [
      'dormir',
      'Hace que la música termine sola',
      {
        minutes: ['minutos', 'Dentro de cuántos minutos'],
        until: [
          'hasta',
          'O al final de lo que suena; o nunca',
          { track: 'El final de esta pista', off: 'Sin temporizador' },
        ],
      },
    ],
    words: {
      endsIn: (relative) => `Buenas noches: la música se apagará ${relative}.`,
      endsWithTrack: 'La música termina con esta pista.',
      off: 'El temporizador está apagado.',
      eitherOr: 'Indica un número de minutos o una opción de «hasta».',
    },
  },
  'pt-BR': {
    label: [
      'dormir',
      'Faz a música terminar sozinha',
      {
        minutes: ['minutos', 'Em quantos minutos'],
        until: ['até', 'Ou no fim do que toca; ou nunca', { track: 'O fim desta faixa', off: 'Sem temporizador' }],
      },
    ],
    words: {
      endsIn: (relative) => `Boa noite: a música vai sumir ${relative}.`,
      endsWithTrack: 'A música termina com esta faixa.',
      off: 'O temporizador está desligado.',
      eitherOr: 'Informe um número de minutos ou uma opção de “até”.',
    },
  },
  ja: {
    label: [
      'スリープ',
      '音楽を自動で終わらせます',
      {
        minutes: ['分', '何分後に終わるか'],
        until: [
          'まで',
          'または再生中の曲の終わりまで。なしも選べます',
          { track: 'この曲の終わり', off: 'タイマーなし' },
        ],
      },
    ],
    words: {
      endsIn: (relative) => `おやすみなさい。音楽は${relative}に静かに終わります。`,
      endsWithTrack: 'この曲で音楽が終わります。',
      off: 'スリープタイマーはオフです。',
      eitherOr: '分数か「まで」のどちらか一つを指定してください。',
    },
  },
}
