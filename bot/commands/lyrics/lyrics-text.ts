import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'lyrics',
    'Show the words of what plays',
    { follow: ['follow', 'Let them follow the music'] },
  ] as const satisfies Label,
  words: {
    none: (track: string) => `There are no lyrics for ${track}.`,
    instrumental: (track: string) => `${track} is instrumental.`,
    untimed: 'The lines of this one have no timing, so they cannot follow the music.',
    following: 'The words follow the music now.',
    follow: 'Follow along',
    enough: 'Enough',
    over: 'This song is over.',
    source: 'Words from LRCLIB',
  },
}

/** Texts of `/lyrics`. */
export const lyricsText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'songtext',
      'Zeigt den Text zum laufenden Titel',
      { follow: ['mitlaufen', 'Lässt ihn mit der Musik mitlaufen'] },
    ],
    words: {
      none: (track) => `Den Text von ${track} hat niemand aufgeschrieben.`,
      instrumental: (track) => `In ${track} singt niemand.`,
      untimed: 'Die Zeilen haben hier keine Zeiten, darum kann der Text nicht mitlaufen.',
      following: 'Der Text läuft jetzt mit.',
      follow: 'Mitlaufen lassen',
      enough: 'Genug',
      over: 'Dieser Titel ist vorbei.',
      source: 'Text von LRCLIB',
    },
  },
  fr: {
    label: ['paroles', 'Montre les paroles du titre en cours', { follow: ['suivre', 'Les fait suivre la musique'] }],
    words: {
      none: (track) => `Personne n’a noté les paroles de ${track}.`,
      instrumental: (track) => `Personne ne chante dans ${track}.`,
      untimed: 'Les lignes n’ont pas d’horaire ici : elles ne peuvent pas suivre la musique.',
      following: 'Les paroles suivent maintenant la musique.',
      follow: 'Suivre la musique',
      enough: 'Assez',
      over: 'Ce titre est terminé.',
      source: 'Paroles de LRCLIB',
    },
  },
  'es-ES': {
    label: ['letra', 'Muestra la letra de lo que suena', { follow: ['seguir', 'Hace que siga la música'] }],
    words: {
      none: (track) => `Nadie ha escrito la letra de ${track}.`,
      instrumental: (track) => `En ${track} no canta nadie.`,
      untimed: 'Las líneas no tienen tiempos, así que no pueden seguir la música.',
      following: 'La letra sigue ahora la música.',
      follow: 'Seguir la música',
      enough: 'Basta',
      over: 'Esta pista ha terminado.',
      source: 'Letra de LRCLIB',
    },
  },
  'pt-BR': {
    label: [
      'letra',
      'Mostra a letra do que está tocando',
      { follow: ['acompanhar', 'Faz a letra acompanhar a música'] },
    ],
    words: {
      none: (track) => `Ninguém escreveu a letra de ${track}.`,
      instrumental: (track) => `Ninguém canta em ${track}.`,
      untimed: 'As linhas não têm tempo marcado, então não podem acompanhar a música.',
      following: 'A letra agora acompanha a música.',
      follow: 'Acompanhar',
      enough: 'Chega',
      over: 'Esta faixa acabou.',
      source: 'Letra de LRCLIB',
    },
  },
  ja: {
    label: ['歌詞', '再生中の曲の歌詞を表示します', { follow: ['追従', '音楽に合わせて進みます'] }],
    words: {
      none: (track) => `${track} の歌詞はまだ書き留められていません。`,
      instrumental: (track) => `${track} には歌がありません。`,
      untimed: 'この曲の歌詞には時間がないため、音楽に合わせて進められません。',
      following: '歌詞が音楽に合わせて進みます。',
      follow: '音楽に合わせる',
      enough: '終了',
      over: 'この曲は終わりました。',
      source: '歌詞: LRCLIB',
    },
  },
}
