import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'image',
    'Change a picture',
    {
      filter: [
        'filter',
        'Put a picture through a filter',
        {
          effect: ['effect', 'Which one'],
          member: ['member', 'Whose avatar; your own unless you choose'],
          picture: ['picture', 'A picture to use instead of an avatar'],
          settings: ['settings', 'Like radius=10; colour=58f'],
        },
      ],
      overlay: [
        'overlay',
        'Draw something over a picture',
        {
          effect: ['effect', 'Which one'],
          member: ['member', 'Whose avatar; your own unless you choose'],
          picture: ['picture', 'A picture to use instead of an avatar'],
          settings: ['settings', 'Like radius=10; colour=58f'],
          with: ['with', 'Whose avatar is the second picture'],
        },
      ],
    },
  ] as const satisfies Label,
  words: {
    unknownEffect: (name: string) =>
      `There is no effect called “${name}”. Choose one of those that are offered while you type.`,
    badSettings: (known: string) => `I do not understand these settings. This effect knows: ${known}.`,
    noSettings: 'This effect has no settings.',
  },
}

/** Texts of `/image`. */
export const imageText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'bild',
      'Verändert ein Bild',
      {
        filter: [
          'filter',
          'Legt einen Filter auf ein Bild',
          {
            effect: ['effekt', 'Welcher'],
            member: ['mitglied', 'Wessen Avatar; deiner, wenn du niemanden wählst'],
            picture: ['datei', 'Ein Bild statt eines Avatars'],
            settings: ['werte', 'Etwa radius=10; colour=58f'],
          },
        ],
        overlay: [
          'auflage',
          'Zeichnet etwas über ein Bild',
          {
            effect: ['effekt', 'Welcher'],
            member: ['mitglied', 'Wessen Avatar; deiner, wenn du niemanden wählst'],
            picture: ['datei', 'Ein Bild statt eines Avatars'],
            settings: ['werte', 'Etwa radius=10; colour=58f'],
            with: ['mit', 'Wessen Avatar das zweite Bild ist'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) =>
        `Es gibt keinen Effekt namens „${name}“. Wähle einen von denen, die beim Tippen angeboten werden.`,
      badSettings: (known) => `Diese Werte verstehe ich nicht. Der Effekt kennt: ${known}.`,
      noSettings: 'Dieser Effekt hat keine Werte.',
    },
  },
  fr: {
    label: [
      'image',
      'Transformer une image',
      {
        filter: [
          'filtre',
          'Passer une image dans un filtre',
          {
            effect: ['effet', 'Lequel'],
            member: ['membre', 'L’avatar de qui ; le vôtre par défaut'],
            picture: ['fichier', 'Une image à la place d’un avatar'],
            settings: ['valeurs', 'Par exemple radius=10; colour=58f'],
          },
        ],
        overlay: [
          'calque',
          'Dessiner quelque chose sur une image',
          {
            effect: ['effet', 'Lequel'],
            member: ['membre', 'L’avatar de qui ; le vôtre par défaut'],
            picture: ['fichier', 'Une image à la place d’un avatar'],
            settings: ['valeurs', 'Par exemple radius=10; colour=58f'],
            with: ['avec', 'L’avatar de qui est la deuxième image'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) =>
        `Il n’y a pas d’effet nommé « ${name} ». Choisis-en un parmi ceux qui sont proposés pendant la saisie.`,
      badSettings: (known) => `Je ne comprends pas ces réglages. Cet effet connaît : ${known}.`,
      noSettings: 'Cet effet n’a pas de réglages.',
    },
  },
  'es-ES': {
    label: [
      'imagen',
      'Transforma una imagen',
      {
        filter: [
          'filtro',
          'Pasa una imagen por un filtro',
          {
            effect: ['efecto', 'Cuál'],
            member: ['miembro', 'El avatar de quién; el tuyo si no eliges'],
            picture: ['archivo', 'Una imagen en lugar de un avatar'],
            settings: ['valores', 'Por ejemplo radius=10; colour=58f'],
          },
        ],
        overlay: [
          'capa',
          'Dibuja algo sobre una imagen',
          {
            effect: ['efecto', 'Cuál'],
            member: ['miembro', 'El avatar de quién; el tuyo si no eliges'],
            picture: ['archivo', 'Una imagen en lugar de un avatar'],
            settings: ['valores', 'Por ejemplo radius=10; colour=58f'],
            with: ['con', 'De quién es el avatar de la segunda imagen'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) =>
        `No hay ningún efecto llamado «${name}». Elige uno de los que se ofrecen mientras escribes.`,
      badSettings: (known) => `No entiendo estos ajustes. Este efecto conoce: ${known}.`,
      noSettings: 'Este efecto no tiene ajustes.',
    },
  },
  'pt-BR': {
    label: [
      'imagem',
      'Transforma uma imagem',
      {
        filter: [
          'filtro',
          'Passa uma imagem por um filtro',
          {
            effect: ['efeito', 'Qual'],
            member: ['membro', 'O avatar de quem; o seu, se não escolher'],
            picture: ['arquivo', 'Uma imagem em vez de um avatar'],
            settings: ['valores', 'Por exemplo radius=10; colour=58f'],
          },
        ],
        overlay: [
          'camada',
          'Desenha algo sobre uma imagem',
          {
            effect: ['efeito', 'Qual'],
            member: ['membro', 'O avatar de quem; o seu, se não escolher'],
            picture: ['arquivo', 'Uma imagem em vez de um avatar'],
            settings: ['valores', 'Por exemplo radius=10; colour=58f'],
            with: ['com', 'De quem é o avatar da segunda imagem'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) =>
        `Não há nenhum efeito chamado “${name}”. Escolha um dos que aparecem enquanto você escreve.`,
      badSettings: (known) => `Não entendo esses ajustes. Este efeito conhece: ${known}.`,
      noSettings: 'Este efeito não tem ajustes.',
    },
  },
  ja: {
    label: [
      '画像',
      '画像を加工します',
      {
        filter: [
          'フィルター',
          '画像にフィルターをかけます',
          {
            effect: ['効果', 'どれを使うか'],
            member: ['メンバー', '誰のアバターか。選ばなければ自分のもの'],
            picture: ['ファイル', 'アバターの代わりに使う画像'],
            settings: ['設定値', '例: radius=10; colour=58f'],
          },
        ],
        overlay: [
          '重ねる',
          '画像の上に何かを描きます',
          {
            effect: ['効果', 'どれを使うか'],
            member: ['メンバー', '誰のアバターか。選ばなければ自分のもの'],
            picture: ['ファイル', 'アバターの代わりに使う画像'],
            settings: ['設定値', '例: radius=10; colour=58f'],
            with: ['相手', '二枚目の画像にするアバター'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) => `「${name}」という効果はありません。入力中に表示される候補から選んでください。`,
      badSettings: (known) => `この設定はわかりません。この効果の設定：${known}`,
      noSettings: 'この効果に設定はありません。',
    },
  },
}
