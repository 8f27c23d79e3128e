import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'play',
    'Play a track, a playlist or a radio station',
    { query: ['query', 'A title, an artist or a link'] },
  ] as const satisfies Label,
  words: {
    playing: (track: string) => `Now playing ${track}`,
    queued: (track: string, position: number) => `Queued ${track} at position ${position}`,
    queuedMany: (count: number, track: string) => `Queued ${count} tracks, beginning with ${track}`,
  },
}

/** Texts of `/play`. */
export const playText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'spielen',
      'Spielt einen Titel, eine Playlist oder einen Radiosender',
      { query: ['suche', 'Ein Titel, eine Band oder ein Link'] },
    ],
    words: {
      playing: (track) => `Jetzt läuft ${track}`,
      queued: (track, position) => `${track} wartet an Stelle ${position}`,
      queuedMany: (count, track) => `${count} Titel warten, beginnend mit ${track}`,
    },
  },
  fr: {
    label: [
      'jouer',
      'Joue un titre, une playlist ou une radio',
      { query: ['recherche', 'Un titre, un artiste ou un lien'] },
    ],
    words: {
      playing: (track) => `En cours : ${track}`,
      queued: (track, position) => `${track} est en attente à la position ${position}`,
      queuedMany: (count, track) => `${count} titres en attente, à commencer par ${track}`,
    },
  },
  'es-ES': {
    label: [
      'poner',
      'Pone una pista, una lista o una emisora',
      { query: ['búsqueda', 'Un título, un artista o un enlace'] },
    ],
    words: {
      playing: (track) => `Ahora suena ${track}`,
      queued: (track, position) => `${track} está en la cola, en la posición ${position}`,
      queuedMany: (count, track) => `${count} pistas en la cola, empezando por ${track}`,
    },
  },
  'pt-BR': {
    label: [
      'tocar',
      'Toca uma faixa, uma playlist ou uma rádio',
      { query: ['busca', 'Um título, um artista ou um link'] },
    ],
    words: {
      playing: (track) => `Tocando agora: ${track}`,
      queued: (track, position) => `${track} está na fila, na posição ${position}`,
      queuedMany: (count, track) => `${count} faixas na fila, começando por ${track}`,
    },
  },
  ja: {
    label: ['再生', '曲、プレイリスト、ラジオを再生します', { query: ['検索', '曲名、アーティスト名、またはリンク'] }],
    words: {
      playing: (track) => `再生中：${track}`,
      queued: (track, position) => `${track} をキューの ${position} 番目に追加しました`,
      queuedMany: (count, track) => `${track} から ${count} 曲をキューに追加しました`,
    },
  },
}
