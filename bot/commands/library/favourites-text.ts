import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'favourites',
    'Your favourite tracks',
    {
      add: ['add', 'Save the current track'],
      list: ['list', 'Show your favourites', { page: ['page', 'Page number'] }],
      play: ['play', 'Play one of your favourites, or all', { track: ['track', 'Which one; default: all'] }],
      remove: ['remove', 'Remove a favourite', { track: ['track', 'Which one'] }],
    },
  ] as const satisfies Label,
  words: {
    choose: 'Play a favourite',
    title: 'Your favourites',
    added: (track: string) => `Added ${track} to your favourites.`,
    known: (track: string) => `${track} is already in your favourites.`,
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
        add: ['behalten', 'Speichert den laufenden Titel'],
        list: ['zeigen', 'Zeigt deine Favoriten', { page: ['seite', 'Seitenzahl'] }],
        play: ['spielen', 'Spielt einen deiner Favoriten oder alle', { track: ['titel', 'Welcher; sonst alle'] }],
        remove: ['entfernen', 'Entfernt einen Favoriten', { track: ['titel', 'Welchen'] }],
      },
    ],
    words: {
      choose: 'Favorit abspielen',
      title: 'Deine Favoriten',
      added: (track) => `${track} zu deinen Favoriten hinzugefügt.`,
      known: (track) => `${track} ist schon einer deiner Favoriten.`,
      removed: (track) => `${track} aus deinen Favoriten entfernt.`,
    },
  },
  fr: {
    label: [
      'favoris',
      'Tes titres favoris',
      {
        add: ['ajouter', 'Ajoute le titre en cours'],
        list: ['liste', 'Montre tes favoris', { page: ['page', 'Numéro de page'] }],
        play: ['jouer', 'Joue un de tes favoris, ou tous', { track: ['titre', 'Lequel ; sinon tous'] }],
        remove: ['retirer', 'Retire un favori', { track: ['titre', 'Lequel'] }],
      },
    ],
    words: {
      choose: 'Lire un favori',
      title: 'Tes favoris',
      added: (track) => `${track} a été ajouté à tes favoris.`,
      known: (track) => `${track} fait déjà partie de tes favoris.`,
      removed: (track) => `${track} a été retiré de tes favoris.`,
    },
  },
  'es-ES': {
    label: [
      'favoritos',
      'Tus pistas favoritas',
      {
        add: ['añadir', 'Guarda la pista actual'],
        list: ['lista', 'Muestra tus favoritos', { page: ['página', 'Número de página'] }],
        play: ['poner', 'Pone uno de tus favoritos, o todos', { track: ['pista', 'Cuál; si no, todos'] }],
        remove: ['quitar', 'Quita un favorito', { track: ['pista', 'Cuál'] }],
      },
    ],
    words: {
      choose: 'Poner un favorito',
      title: 'Tus favoritos',
      added: (track) => `${track} se ha añadido a tus favoritos.`,
      known: (track) => `${track} ya está en tus favoritos.`,
      removed: (track) => `${track} se ha quitado de tus favoritos.`,
    },
  },
  'pt-BR': {
    label: [
      'favoritos',
      'Suas faixas favoritas',
      {
        add: ['adicionar', 'Salva a faixa atual'],
        list: ['lista', 'Mostra seus favoritos', { page: ['página', 'Número da página'] }],
        play: ['tocar', 'Toca um dos seus favoritos, ou todos', { track: ['faixa', 'Qual; se vazio, todos'] }],
        remove: ['remover', 'Remove um favorito', { track: ['faixa', 'Qual'] }],
      },
    ],
    words: {
      choose: 'Tocar um favorito',
      title: 'Seus favoritos',
      added: (track) => `${track} foi para os seus favoritos.`,
      known: (track) => `${track} já está nos seus favoritos.`,
      removed: (track) => `${track} saiu dos seus favoritos.`,
    },
  },
  ja: {
    label: [
      'お気に入り',
      'あなたのお気に入りの曲',
      {
        add: ['追加', '再生中の曲を追加します'],
        list: ['一覧', 'お気に入りを表示します', { page: ['ページ', 'ページ番号'] }],
        play: ['再生', 'お気に入りを再生します', { track: ['曲', '省略するとすべて'] }],
        remove: ['削除', 'お気に入りから外します', { track: ['曲', 'どの曲か'] }],
      },
    ],
    words: {
      choose: 'お気に入りを再生',
      title: 'お気に入り',
      added: (track) => `${track} をお気に入りに追加しました。`,
      known: (track) => `${track} はすでにお気に入りにあります。`,
      removed: (track) => `${track} をお気に入りから外しました。`,
    },
  },
}
