import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'favourites',
    'Your favourite tracks',
    {
      add: ['add', 'Keep what plays now'],
      list: ['list', 'Show your favourites', { page: ['page', 'Which page'] }],
      play: ['play', 'Play one of your favourites, or all', { track: ['track', 'All of them unless you choose one'] }],
      remove: ['remove', 'Remove a favourite', { track: ['track', 'Which one'] }],
    },
  ] as const satisfies Label,
  words: {
    choose: 'Play one of them',
    title: 'Your favourites',
    added: (track: string) => `Kept ${track} among your favourites.`,
    known: (track: string) => `${track} is among your favourites already.`,
    removed: (track: string) => `Removed ${track} from your favourites.`,
  },
}

/** Texts of `/favourites`. */
export const favouritesText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'favoriten',
      'Deine Lieblingstitel',
      {
        add: ['behalten', 'Behält, was gerade läuft'],
        list: ['zeigen', 'Zeigt deine Favoriten', { page: ['seite', 'Welche Seite'] }],
        play: [
          'spielen',
          'Spielt einen deiner Favoriten oder alle',
          { track: ['titel', 'Alle, wenn du keinen wählst'] },
        ],
        remove: ['entfernen', 'Entfernt einen Favoriten', { track: ['titel', 'Welchen'] }],
      },
    ],
    words: {
      choose: 'Einen davon spielen',
      title: 'Deine Favoriten',
      added: (track) => `${track} ist jetzt einer deiner Favoriten.`,
      known: (track) => `${track} ist schon einer deiner Favoriten.`,
      removed: (track) => `${track} ist keiner deiner Favoriten mehr.`,
    },
  },
  fr: {
    label: [
      'favoris',
      'Tes titres favoris',
      {
        add: ['ajouter', 'Garde le titre en cours'],
        list: ['liste', 'Montre tes favoris', { page: ['page', 'Quelle page'] }],
        play: ['jouer', 'Joue un de tes favoris, ou tous', { track: ['titre', 'Tous si tu n’en choisis pas'] }],
        remove: ['retirer', 'Retire un favori', { track: ['titre', 'Lequel'] }],
      },
    ],
    words: {
      choose: 'En jouer un',
      title: 'Tes favoris',
      added: (track) => `${track} fait maintenant partie de tes favoris.`,
      known: (track) => `${track} fait déjà partie de tes favoris.`,
      removed: (track) => `${track} ne fait plus partie de tes favoris.`,
    },
  },
  'es-ES': {
    label: [
      'favoritos',
      'Tus pistas favoritas',
      {
        add: ['añadir', 'Guarda lo que suena'],
        list: ['lista', 'Muestra tus favoritos', { page: ['página', 'Qué página'] }],
        play: ['poner', 'Pone uno de tus favoritos, o todos', { track: ['pista', 'Todos si no eliges'] }],
        remove: ['quitar', 'Quita un favorito', { track: ['pista', 'Cuál'] }],
      },
    ],
    words: {
      choose: 'Poner uno de ellos',
      title: 'Tus favoritos',
      added: (track) => `${track} está ahora entre tus favoritos.`,
      known: (track) => `${track} ya estaba entre tus favoritos.`,
      removed: (track) => `${track} ya no está entre tus favoritos.`,
    },
  },
  'pt-BR': {
    label: [
      'favoritos',
      'Suas faixas favoritas',
      {
        add: ['adicionar', 'Guarda o que está tocando'],
        list: ['lista', 'Mostra seus favoritos', { page: ['página', 'Qual página'] }],
        play: ['tocar', 'Toca um dos seus favoritos, ou todos', { track: ['faixa', 'Todos se você não escolher'] }],
        remove: ['remover', 'Remove um favorito', { track: ['faixa', 'Qual'] }],
      },
    ],
    words: {
      choose: 'Tocar um deles',
      title: 'Seus favoritos',
      added: (track) => `${track} agora está entre os seus favoritos.`,
      known: (track) => `${track} já estava entre os seus favoritos.`,
      removed: (track) => `${track} não está mais entre os seus favoritos.`,
    },
  },
  ja: {
    label: [
      'お気に入り',
      'あなたのお気に入りの曲',
      {
        add: ['追加', '再生中の曲を追加します'],
        list: ['一覧', 'お気に入りを表示します', { page: ['ページ', '何ページ目か'] }],
        play: ['再生', 'お気に入りを再生します', { track: ['曲', '選ばなければすべて'] }],
        remove: ['削除', 'お気に入りから外します', { track: ['曲', 'どの曲か'] }],
      },
    ],
    words: {
      choose: 'どれかを再生する',
      title: 'お気に入り',
      added: (track) => `${track} をお気に入りに追加しました。`,
      known: (track) => `${track} はすでにお気に入りにあります。`,
      removed: (track) => `${track} をお気に入りから外しました。`,
    },
  },
}
