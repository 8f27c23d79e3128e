import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'play',
    'Play a track, a playlist or a radio station',
    {
      query: ['query', 'A title, an artist or a link'],
      when: [
        'when',
        'Now, next, or after what waits',
        { last: 'After what waits', next: 'Next', now: 'Now, instead of what plays' },
      ],
      file: ['file', 'A file with music from your device'],
    },
  ] as const satisfies Label,
  words: {
    playing: (track: string) => `Now playing ${track}`,
    queued: (track: string, position: number) => `Queued ${track} at position ${position}`,
    queuedMany: (count: number, track: string) => `Queued ${count} tracks, beginning with ${track}`,
    eitherOr: 'Give me something to play: a title, a link or a file, but not a file and words at once.',
    fileTooLarge: (megabytes: number) => `This file is too large: ${megabytes} MB are the most.`,
    noMusic: 'This is no file with music.',
  },
}

/** Texts of `/play`. */
export const playText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'spielen',
      'Spielt einen Titel, eine Playlist oder einen Radiosender',
      {
        query: ['suche', 'Ein Titel, eine Band oder ein Link'],
        when: [
          'wann',
          'Jetzt, als Nächstes oder nach allem, was wartet',
          { last: 'Nach allem, was wartet', next: 'Als Nächstes', now: 'Jetzt, statt dem, was läuft' },
        ],
        file: ['datei', 'Eine Musikdatei von deinem Gerät'],
      },
    ],
    words: {
      playing: (track) => `Jetzt läuft ${track}`,
      queued: (track, position) => `${track} wartet an Stelle ${position}`,
      queuedMany: (count, track) => `${count} Titel warten, beginnend mit ${track}`,
      eitherOr:
        'Gib mir etwas zum Spielen: einen Titel, einen Link oder eine Datei, aber nicht Datei und Worte zugleich.',
      fileTooLarge: (megabytes) => `Diese Datei ist zu groß: höchstens ${megabytes} MB.`,
      noMusic: 'Das ist keine Musikdatei.',
    },
  },
  fr: {
    label: [
      'jouer',
      'Joue un titre, une playlist ou une radio',
      {
        query: ['recherche', 'Un titre, un artiste ou un lien'],
        when: [
          'quand',
          'Maintenant, juste après ou à la fin de la file',
          { last: 'À la fin de la file', next: 'Juste après', now: 'Maintenant, à la place du titre en cours' },
        ],
        file: ['fichier', 'Un fichier de musique de ton appareil'],
      },
    ],
    words: {
      playing: (track) => `En cours : ${track}`,
      queued: (track, position) => `${track} est en attente à la position ${position}`,
      queuedMany: (count, track) => `${count} titres en attente, à commencer par ${track}`,
      eitherOr:
        'Donne-moi quelque chose à jouer : un titre, un lien ou un fichier, mais pas un fichier et des mots à la fois.',
      fileTooLarge: (megabytes) => `Ce fichier est trop gros : ${megabytes} Mo au maximum.`,
      noMusic: 'Ce n’est pas un fichier de musique.',
    },
  },
  'es-ES': {
    label: [
      'poner',
      'Pone una pista, una lista o una emisora',
      {
        query: ['búsqueda', 'Un título, un artista o un enlace'],
        when: [
          'cuándo',
          'Ahora, a continuación o al final de la cola',
          { last: 'Al final de la cola', next: 'A continuación', now: 'Ahora, en lugar de lo que suena' },
        ],
        file: ['archivo', 'Un archivo de música de tu dispositivo'],
      },
    ],
    words: {
      playing: (track) => `Ahora suena ${track}`,
      queued: (track, position) => `${track} está en la cola, en la posición ${position}`,
      queuedMany: (count, track) => `${count} pistas en la cola, empezando por ${track}`,
      eitherOr: 'Dame algo que poner: un título, un enlace o un archivo, pero no un archivo y palabras a la vez.',
      fileTooLarge: (megabytes) => `Este archivo es demasiado grande: ${megabytes} MB como máximo.`,
      noMusic: 'Esto no es un archivo de música.',
    },
  },
  'pt-BR': {
    label: [
      'tocar',
      'Toca uma faixa, uma playlist ou uma rádio',
      {
        query: ['busca', 'Um título, um artista ou um link'],
        when: [
          'quando',
          'Agora, a seguir ou no fim da fila',
          { last: 'No fim da fila', next: 'A seguir', now: 'Agora, no lugar do que toca' },
        ],
        file: ['arquivo', 'Um arquivo de música do seu dispositivo'],
      },
    ],
    words: {
      playing: (track) => `Tocando agora: ${track}`,
      queued: (track, position) => `${track} está na fila, na posição ${position}`,
      queuedMany: (count, track) => `${count} faixas na fila, começando por ${track}`,
      eitherOr:
        'Me dê algo para tocar: um título, um link ou um arquivo, mas não um arquivo e palavras ao mesmo tempo.',
      fileTooLarge: (megabytes) => `Este arquivo é grande demais: no máximo ${megabytes} MB.`,
      noMusic: 'Isto não é um arquivo de música.',
    },
  },
  ja: {
    label: [
      '再生',
      '曲、プレイリスト、ラジオを再生します',
      {
        query: ['検索', '曲名、アーティスト名、またはリンク'],
        when: ['いつ', '今すぐ、次、またはキューの最後', { last: 'キューの最後', next: '次に再生', now: '今すぐ再生' }],
        file: ['ファイル', '端末にある音楽ファイル'],
      },
    ],
    words: {
      playing: (track) => `再生中：${track}`,
      queued: (track, position) => `${track} をキューの ${position} 番目に追加しました`,
      queuedMany: (count, track) => `${track} から ${count} 曲をキューに追加しました`,
      eitherOr: '曲名、リンク、またはファイルのどれかを指定してください。ファイルと文字は同時に使えません。',
      fileTooLarge: (megabytes) => `このファイルは大きすぎます。上限は ${megabytes} MB です。`,
      noMusic: 'これは音楽ファイルではありません。',
    },
  },
}
