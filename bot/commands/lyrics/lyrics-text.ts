import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'lyrics',
    'Show the lyrics of the current track',
    { follow: ['follow', 'Scroll with the music'] },
  ] as const satisfies Label,
  words: {
    none: (track: string) => `There are no lyrics for ${track}.`,
    instrumental: (track: string) => `${track} is instrumental.`,
    untimed: 'These lyrics have no timing and cannot scroll with the music.',
    following: 'The lyrics now scroll with the music.',
    follow: 'Live lyrics',
    enough: 'Stop',
    over: 'This track has ended.',
    source: 'Lyrics from LRCLIB',
  },
}

/** Texts of `/lyrics`. */
export const lyricsText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['songtext', 'Zeigt den Text zum laufenden Titel', { follow: ['mitlaufen', 'Läuft mit der Musik mit'] }],
    words: {
      none: (track) => `Zu ${track} gibt es keinen Songtext.`,
      instrumental: (track) => `${track} ist instrumental.`,
      untimed: 'Dieser Songtext hat keine Zeitmarken und kann nicht mitlaufen.',
      following: 'Der Songtext läuft jetzt mit.',
      follow: 'Mitlaufen lassen',
      enough: 'Stopp',
      over: 'Dieser Titel ist zu Ende.',
      source: 'Songtext von LRCLIB',
    },
  },
  fr: {
    label: ['paroles', 'Montre les paroles du titre en cours', { follow: ['suivre', 'Défile avec la musique'] }],
    words: {
      none: (track) => `Pas de paroles pour ${track}.`,
      instrumental: (track) => `${track} est instrumental.`,
      untimed: 'Ces paroles ne sont pas synchronisées et ne peuvent pas défiler avec la musique.',
      following: 'Les paroles défilent maintenant avec la musique.',
      follow: 'Paroles en direct',
      enough: 'Arrêter',
      over: 'Ce titre est terminé.',
      source: 'Paroles de LRCLIB',
    },
  },
  'es-ES': {
    label: ['letra', 'Muestra la letra de la pista actual', { follow: ['seguir', 'Avanza con la música'] }],
    words: {
      none: (track) => `No hay letra de ${track}.`,
      instrumental: (track) => `${track} es instrumental.`,
      untimed: 'Esta letra no está sincronizada y no puede avanzar con la música.',
      following: 'La letra avanza ahora con la música.',
      follow: 'Letra en directo',
      enough: 'Parar',
      over: 'Esta pista ha terminado.',
      source: 'Letra de LRCLIB',
    },
  },
  'pt-BR': {
    label: ['letra', 'Mostra a letra da faixa atual', { follow: ['acompanhar', 'Acompanha a música'] }],
    words: {
      none: (track) => `Não há letra de ${track}.`,
      instrumental: (track) => `${track} é instrumental.`,
      untimed: 'Esta letra não está sincronizada e não pode acompanhar a música.',
      following: 'A letra agora acompanha a música.',
      follow: 'Letra ao vivo',
      enough: 'Parar',
      over: 'Esta faixa acabou.',
      source: 'Letra de LRCLIB',
    },
  },
  ja: {
    label: ['歌詞', '再生中の曲の歌詞を表示します', { follow: ['追従', '曲に合わせて表示します'] }],
    words: {
      none: (track) => `${track} の歌詞はありません。`,
      instrumental: (track) => `${track} はインストゥルメンタルです。`,
      untimed: 'この歌詞は同期に対応していません。',
      following: '歌詞を曲に合わせて表示します。',
      follow: '歌詞を同期',
      enough: '停止',
      over: 'この曲は終わりました。',
      source: '歌詞: LRCLIB',
    },
  },
}
