import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'play',
    'Play a track, a playlist or a radio station',
    {
      query: ['query', 'Song, artist or link'],
      when: [
        'when',
        'When it plays; default: end of the queue',
        { last: 'End of the queue', next: 'Next', now: 'Now, replacing the current track' },
      ],
      file: ['file', 'A music file from your device'],
    },
  ] as const satisfies Label,
  words: {
    playing: (track: string) => `Now playing ${track}`,
    queued: (track: string, position: number) => `Added ${track} at position ${position}`,
    queuedMany: (count: number, track: string) => `Added ${count} tracks, starting with ${track}`,
    eitherOr: 'Enter a song or link, or attach a file, but not both.',
    fileTooLarge: (megabytes: number) => `This file is too large. The limit is ${megabytes} MB.`,
    noMusic: 'This is not a music file.',
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
        query: ['suche', 'Titel, Band oder Link'],
        when: [
          'wann',
          'Wann der Titel läuft; sonst am Ende der Warteschlange',
          { last: 'Am Ende der Warteschlange', next: 'Als Nächstes', now: 'Jetzt, anstelle des laufenden Titels' },
        ],
        file: ['datei', 'Eine Musikdatei von deinem Gerät'],
      },
    ],
    words: {
      playing: (track) => `Jetzt läuft ${track}`,
      queued: (track, position) => `${track} an Stelle ${position} hinzugefügt`,
      queuedMany: (count, track) => `${count} Titel hinzugefügt, beginnend mit ${track}`,
      eitherOr: 'Gib einen Titel oder Link ein oder hänge eine Datei an, aber nicht beides.',
      fileTooLarge: (megabytes) => `Diese Datei ist zu groß. Erlaubt sind ${megabytes} MB.`,
      noMusic: 'Das ist keine Musikdatei.',
    },
  },
  fr: {
    label: [
      'jouer',
      'Lit un titre, une playlist ou une radio',
      {
        query: ['recherche', 'Titre, artiste ou lien'],
        when: [
          'quand',
          'Quand le lire ; sinon à la fin de la file',
          { last: 'À la fin de la file', next: 'Juste après', now: 'Maintenant, à la place du titre en cours' },
        ],
        file: ['fichier', 'Un fichier audio de ton appareil'],
      },
    ],
    words: {
      playing: (track) => `En cours : ${track}`,
      queued: (track, position) => `${track} ajouté à la position ${position}`,
      queuedMany: (count, track) => `${count} titres ajoutés, à commencer par ${track}`,
      eitherOr: 'Indique un titre ou un lien, ou joins un fichier, mais pas les deux.',
      fileTooLarge: (megabytes) => `Ce fichier est trop gros. La limite est de ${megabytes} Mo.`,
      noMusic: 'Ce n’est pas un fichier audio.',
    },
  },
  'es-ES': {
    label: [
      'poner',
      'Pone una pista, una lista o una emisora',
      {
        query: ['búsqueda', 'Título, artista o enlace'],
        when: [
          'cuándo',
          'Cuándo suena; si no, al final de la cola',
          { last: 'Al final de la cola', next: 'A continuación', now: 'Ahora, en lugar de la pista actual' },
        ],
        file: ['archivo', 'Un archivo de audio de tu dispositivo'],
      },
    ],
    words: {
      playing: (track) => `Ahora suena ${track}`,
      queued: (track, position) => `${track} añadida en la posición ${position}`,
      queuedMany: (count, track) => `${count} pistas añadidas, empezando por ${track}`,
      eitherOr: 'Escribe un título o un enlace, o adjunta un archivo, pero no ambas cosas.',
      fileTooLarge: (megabytes) => `Este archivo es demasiado grande. El límite es ${megabytes} MB.`,
      noMusic: 'Esto no es un archivo de audio.',
    },
  },
  'pt-BR': {
    label: [
      'tocar',
      'Toca uma faixa, uma playlist ou uma rádio',
      {
        query: ['busca', 'Título, artista ou link'],
        when: [
          'quando',
          'Quando toca; se vazio, no fim da fila',
          { last: 'No fim da fila', next: 'A seguir', now: 'Agora, no lugar da faixa atual' },
        ],
        file: ['arquivo', 'Um arquivo de áudio do seu dispositivo'],
      },
    ],
    words: {
      playing: (track) => `Tocando agora: ${track}`,
      queued: (track, position) => `${track} adicionada na posição ${position}`,
      queuedMany: (count, track) => `${count} faixas adicionadas, começando por ${track}`,
      eitherOr: 'Informe um título ou link, ou anexe um arquivo, mas não os dois.',
      fileTooLarge: (megabytes) => `Este arquivo é grande demais. O limite é ${megabytes} MB.`,
      noMusic: 'Isto não é um arquivo de áudio.',
    },
  },
  ja: {
    label: [
      '再生',
      '曲、プレイリスト、ラジオを再生します',
      {
        query: ['検索', '曲名、アーティスト名、リンク'],
        when: [
          'いつ',
          'いつ再生するか。省略するとキューの最後',
          { last: 'キューの最後', next: '次に再生', now: '今すぐ再生' },
        ],
        file: ['ファイル', '端末の音楽ファイル'],
      },
    ],
    words: {
      playing: (track) => `再生中：${track}`,
      queued: (track, position) => `${track} をキューの ${position} 番目に追加しました`,
      queuedMany: (count, track) => `${track} から ${count} 曲をキューに追加しました`,
      eitherOr: '曲名かリンクを入力するか、ファイルを添付してください。両方は指定できません。',
      fileTooLarge: (megabytes) => `このファイルは大きすぎます。上限は ${megabytes} MB です。`,
      noMusic: 'これは音楽ファイルではありません。',
    },
  },
}
