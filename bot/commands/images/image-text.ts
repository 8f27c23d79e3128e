import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Options that both subcommands have. */
const OPTIONS = {
  effect: [
    ['effect', 'effekt', 'effet', 'efecto', 'efeito', '効果'],
    ['Which one', 'Welcher', 'Lequel', 'Cuál', 'Qual', 'どれを使うか'],
  ],
  member: [
    ['member', 'mitglied', 'membre', 'miembro', 'membro', 'メンバー'],
    [
      'Whose avatar; default: yours',
      'Wessen Avatar; sonst deiner',
      'L’avatar de qui ; sinon le tien',
      'El avatar de quién; si no, el tuyo',
      'O avatar de quem; senão, o seu',
      '誰のアバターか。省略すると自分',
    ],
  ],
  picture: [
    ['picture', 'datei', 'fichier', 'archivo', 'arquivo', 'ファイル'],
    [
      'A picture to use instead of an avatar',
      'Ein Bild statt eines Avatars',
      'Une image à la place d’un avatar',
      'Una imagen en lugar de un avatar',
      'Uma imagem em vez de um avatar',
      'アバターの代わりに使う画像',
    ],
  ],
  settings: [
    ['settings', 'werte', 'valeurs', 'valores', 'valores', '設定値'],
    [
      'For example radius=10; colour=58f',
      'Zum Beispiel radius=10; colour=58f',
      'Par exemple radius=10; colour=58f',
      'Por ejemplo radius=10; colour=58f',
      'Por exemplo radius=10; colour=58f',
      '例: radius=10; colour=58f',
    ],
  ],
} as const

/** Texts of `/image`. */
export const imageText = inEachLanguage({
  label: [
    ['image', 'bild', 'image', 'imagen', 'imagem', '画像'],
    [
      'Edit a picture',
      'Bearbeitet ein Bild',
      'Modifie une image',
      'Edita una imagen',
      'Edita uma imagem',
      '画像を加工します',
    ],
    {
      filter: [
        ['filter', 'filter', 'filtre', 'filtro', 'filtro', 'フィルター'],
        [
          'Apply a filter to a picture',
          'Wendet einen Filter auf ein Bild an',
          'Applique un filtre à une image',
          'Aplica un filtro a una imagen',
          'Aplica um filtro a uma imagem',
          '画像にフィルターをかけます',
        ],
        {
          ...OPTIONS,
        },
      ],
      overlay: [
        ['overlay', 'auflage', 'calque', 'capa', 'camada', '重ねる'],
        [
          'Add an overlay to a picture',
          'Legt etwas über ein Bild',
          'Ajoute un calque à une image',
          'Añade una capa a una imagen',
          'Adiciona uma camada a uma imagem',
          '画像に重ね絵を加えます',
        ],
        {
          ...OPTIONS,
          with: [
            ['with', 'mit', 'avec', 'con', 'com', '相手'],
            [
              'Member whose avatar is the second picture',
              'Wessen Avatar das zweite Bild ist',
              'Membre dont l’avatar est la deuxième image',
              'De quién es el avatar de la segunda imagen',
              'De quem é o avatar da segunda imagem',
              '二枚目の画像にするアバター',
            ],
          ],
        },
      ],
    },
  ],
  words: {
    unknownEffect: [
      'Unknown effect “{name}”. Choose one from the list while you type.',
      'Unbekannter Effekt „{name}“. Wähle beim Tippen einen aus der Liste.',
      'Effet inconnu : « {name} ». Choisis-en un dans la liste pendant la saisie.',
      'Efecto desconocido: «{name}». Elige uno de la lista mientras escribes.',
      'Efeito desconhecido: “{name}”. Escolha um da lista enquanto escreve.',
      '不明な効果「{name}」です。入力中に表示される候補から選んでください。',
    ],
    badSettings: [
      'These settings are not valid. This effect takes: {known}.',
      'Diese Werte sind ungültig. Der Effekt nimmt: {known}.',
      'Ces réglages ne sont pas valides. Cet effet accepte : {known}.',
      'Estos ajustes no son válidos. Este efecto admite: {known}.',
      'Esses ajustes não são válidos. Este efeito aceita: {known}.',
      '設定が正しくありません。この効果の設定：{known}',
    ],
    noSettings: [
      'This effect has no settings.',
      'Dieser Effekt hat keine Werte.',
      'Cet effet n’a pas de réglages.',
      'Este efecto no tiene ajustes.',
      'Este efeito não tem ajustes.',
      'この効果に設定はありません。',
    ],
  },
})
