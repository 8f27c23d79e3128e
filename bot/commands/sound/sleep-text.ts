import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'sleep',
    'Stop the music after a while',
    {
      minutes: ['minutes', 'Minutes until the music stops'],
      until: ['until', 'Or stop at the end of the track', { track: 'End of this track', off: 'No timer' }],
    },
  ] as const satisfies Label,
  words: {
    endsIn: (relative: string) => `Good night! The music fades out ${relative}.`,
    endsWithTrack: 'The music stops after this track.',
    off: 'The sleep timer is off.',
    eitherOr: 'Enter either “minutes” or “until”.',
  },
}

/** Texts of `/sleep`. */
export const sleepText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'einschlafen',
      'Beendet die Musik nach einiger Zeit',
      {
        minutes: ['minuten', 'Minuten bis zum Ende'],
        until: ['bis', 'Oder am Ende des Titels', { track: 'Ende dieses Titels', off: 'Kein Timer' }],
      },
    ],
    words: {
      endsIn: (relative) => `Gute Nacht! Die Musik endet ${relative}.`,
      endsWithTrack: 'Die Musik endet mit diesem Titel.',
      off: 'Der Einschlaf-Timer ist aus.',
      eitherOr: 'Gib entweder „minuten“ oder „bis“ an.',
    },
  },
  fr: {
    label: [
      'minuterie',
      'Arrête la musique au bout d’un moment',
      {
        minutes: ['minutes', 'Minutes avant l’arrêt'],
        until: ['jusqu-à', 'Ou à la fin du titre en cours', { track: 'Fin de ce titre', off: 'Pas de minuterie' }],
      },
    ],
    words: {
      endsIn: (relative) => `Bonne nuit ! La musique s’arrêtera ${relative}.`,
      endsWithTrack: 'La musique s’arrêtera à la fin de ce titre.',
      off: 'La minuterie est désactivée.',
      eitherOr: 'Indique soit « minutes », soit « jusqu-à ».',
    },
  },
  'es-ES': {
    label: [
      'dormir',
      'Para la música al cabo de un rato',
      {
        minutes: ['minutos', 'Minutos hasta que pare'],
        until: ['hasta', 'O al final de la pista', { track: 'Final de esta pista', off: 'Sin temporizador' }],
      },
    ],
    words: {
      endsIn: (relative) => `¡Buenas noches! La música parará ${relative}.`,
      endsWithTrack: 'La música parará al final de esta pista.',
      off: 'El temporizador está desactivado.',
      eitherOr: 'Indica «minutos» o «hasta», no ambos.',
    },
  },
  'pt-BR': {
    label: [
      'dormir',
      'Para a música depois de um tempo',
      {
        minutes: ['minutos', 'Minutos até parar'],
        until: ['até', 'Ou no fim da faixa', { track: 'Fim desta faixa', off: 'Sem temporizador' }],
      },
    ],
    words: {
      endsIn: (relative) => `Boa noite! A música vai parar ${relative}.`,
      endsWithTrack: 'A música para no fim desta faixa.',
      off: 'O temporizador está desligado.',
      eitherOr: 'Informe “minutos” ou “até”, não os dois.',
    },
  },
  ja: {
    label: [
      'スリープ',
      '一定時間後に音楽を止めます',
      {
        minutes: ['分', '停止までの分数'],
        until: ['まで', 'または曲の終わりで停止', { track: 'この曲の終わり', off: 'タイマーなし' }],
      },
    ],
    words: {
      endsIn: (relative) => `おやすみなさい。音楽は${relative}に停止します。`,
      endsWithTrack: 'この曲が終わると停止します。',
      off: 'スリープタイマーはオフです。',
      eitherOr: '「分」か「まで」のどちらかを指定してください。',
    },
  },
}
