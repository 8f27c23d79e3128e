import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'image',
    'Edit a picture',
    {
      filter: [
        'filter',
        'Apply a filter to a picture',
        {
          effect: ['effect', 'Which one'],
          member: ['member', 'Whose avatar; default: yours'],
          picture: ['picture', 'A picture to use instead of an avatar'],
          settings: ['settings', 'For example radius=10; colour=58f'],
        },
      ],
      overlay: [
        'overlay',
        'Add an overlay to a picture',
        {
          effect: ['effect', 'Which one'],
          member: ['member', 'Whose avatar; default: yours'],
          picture: ['picture', 'A picture to use instead of an avatar'],
          settings: ['settings', 'For example radius=10; colour=58f'],
          with: ['with', 'Member whose avatar is the second picture'],
        },
      ],
    },
  ] as const satisfies Label,
  words: {
    unknownEffect: (name: string) => `Unknown effect “${name}”. Choose one from the list while you type.`,
    badSettings: (known: string) => `These settings are not valid. This effect takes: ${known}.`,
    noSettings: 'This effect has no settings.',
  },
}

/** Texts of `/image`. */
export const imageText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'bild',
      'Bearbeitet ein Bild',
      {
        filter: [
          'filter',
          'Wendet einen Filter auf ein Bild an',
          {
            effect: ['effekt', 'Welcher'],
            member: ['mitglied', 'Wessen Avatar; sonst deiner'],
            picture: ['datei', 'Ein Bild statt eines Avatars'],
            settings: ['werte', 'Zum Beispiel radius=10; colour=58f'],
          },
        ],
        overlay: [
          'auflage',
          'Legt etwas über ein Bild',
          {
            effect: ['effekt', 'Welcher'],
            member: ['mitglied', 'Wessen Avatar; sonst deiner'],
            picture: ['datei', 'Ein Bild statt eines Avatars'],
            settings: ['werte', 'Zum Beispiel radius=10; colour=58f'],
            with: ['mit', 'Wessen Avatar das zweite Bild ist'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) => `Unbekannter Effekt „${name}“. Wähle beim Tippen einen aus der Liste.`,
      badSettings: (known) => `Diese Werte sind ungültig. Der Effekt nimmt: ${known}.`,
      noSettings: 'Dieser Effekt hat keine Werte.',
    },
  },
  fr: {
    label: [
      'image',
      'Modifie une image',
      {
        filter: [
          'filtre',
          'Applique un filtre à une image',
          {
            effect: ['effet', 'Lequel'],
            member: ['membre', 'L’avatar de qui ; sinon le tien'],
            picture: ['fichier', 'Une image à la place d’un avatar'],
            settings: ['valeurs', 'Par exemple radius=10; colour=58f'],
          },
        ],
        overlay: [
          'calque',
          'Ajoute un calque à une image',
          {
            effect: ['effet', 'Lequel'],
            member: ['membre', 'L’avatar de qui ; sinon le tien'],
            picture: ['fichier', 'Une image à la place d’un avatar'],
            settings: ['valeurs', 'Par exemple radius=10; colour=58f'],
            with: ['avec', 'Membre dont l’avatar est la deuxième image'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) => `Effet inconnu : « ${name} ». Choisis-en un dans la liste pendant la saisie.`,
      badSettings: (known) => `Ces réglages ne sont pas valides. Cet effet accepte : ${known}.`,
      noSettings: 'Cet effet n’a pas de réglages.',
    },
  },
  'es-ES': {
    label: [
      'imagen',
      'Edita una imagen',
      {
        filter: [
          'filtro',
          'Aplica un filtro a una imagen',
          {
            effect: ['efecto', 'Cuál'],
            member: ['miembro', 'El avatar de quién; si no, el tuyo'],
            picture: ['archivo', 'Una imagen en lugar de un avatar'],
            settings: ['valores', 'Por ejemplo radius=10; colour=58f'],
          },
        ],
        overlay: [
          'capa',
          'Añade una capa a una imagen',
          {
            effect: ['efecto', 'Cuál'],
            member: ['miembro', 'El avatar de quién; si no, el tuyo'],
            picture: ['archivo', 'Una imagen en lugar de un avatar'],
            settings: ['valores', 'Por ejemplo radius=10; colour=58f'],
            with: ['con', 'De quién es el avatar de la segunda imagen'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) => `Efecto desconocido: «${name}». Elige uno de la lista mientras escribes.`,
      badSettings: (known) => `Estos ajustes no son válidos. Este efecto admite: ${known}.`,
      noSettings: 'Este efecto no tiene ajustes.',
    },
  },
  'pt-BR': {
    label: [
      'imagem',
      'Edita uma imagem',
      {
        filter: [
          'filtro',
          'Aplica um filtro a uma imagem',
          {
            effect: ['efeito', 'Qual'],
            member: ['membro', 'O avatar de quem; senão, o seu'],
            picture: ['arquivo', 'Uma imagem em vez de um avatar'],
            settings: ['valores', 'Por exemplo radius=10; colour=58f'],
          },
        ],
        overlay: [
          'camada',
          'Adiciona uma camada a uma imagem',
          {
            effect: ['efeito', 'Qual'],
            member: ['membro', 'O avatar de quem; senão, o seu'],
            picture: ['arquivo', 'Uma imagem em vez de um avatar'],
            settings: ['valores', 'Por exemplo radius=10; colour=58f'],
            with: ['com', 'De quem é o avatar da segunda imagem'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) => `Efeito desconhecido: “${name}”. Escolha um da lista enquanto escreve.`,
      badSettings: (known) => `Esses ajustes não são válidos. Este efeito aceita: ${known}.`,
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
            member: ['メンバー', '誰のアバターか。省略すると自分'],
            picture: ['ファイル', 'アバターの代わりに使う画像'],
            settings: ['設定値', '例: radius=10; colour=58f'],
          },
        ],
        overlay: [
          '重ねる',
          '画像に重ね絵を加えます',
          {
            effect: ['効果', 'どれを使うか'],
            member: ['メンバー', '誰のアバターか。省略すると自分'],
            picture: ['ファイル', 'アバターの代わりに使う画像'],
            settings: ['設定値', '例: radius=10; colour=58f'],
            with: ['相手', '二枚目の画像にするアバター'],
          },
        ],
      },
    ],
    words: {
      unknownEffect: (name) => `不明な効果「${name}」です。入力中に表示される候補から選んでください。`,
      badSettings: (known) => `設定が正しくありません。この効果の設定：${known}`,
      noSettings: 'この効果に設定はありません。',
    },
  },
}
