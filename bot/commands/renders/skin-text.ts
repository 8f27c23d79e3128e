import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'skin',
    'Show a Minecraft player’s skin',
    {
      player: ['player', 'Name, UUID, or gamertag with a leading dot'],
      pose: [
        'pose',
        'Default: waving',
        {
          wave: 'Waving',
          standing: 'Standing',
          sit: 'Sitting',
          cutesit: 'Sitting on the ground',
          handstand: 'Handstand',
          showing_behind: 'From behind',
          body: 'Straight, from above',
          front: 'Straight, from the front',
          bust: 'Head and shoulders',
          head: 'The head',
          face: 'The face, flat',
        },
      ],
    },
  ] as const satisfies Label,
  words: {
    noSkin: (name: string) => `${name} has no public skin.`,
    badSkin: (name: string) => `The skin of ${name} cannot be rendered.`,
  },
}

/** Texts of `/skin`. */
export const skinText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'skin',
      'Zeigt den Skin eines Minecraft-Spielers',
      {
        player: ['spieler', 'Name, UUID oder Gamertag mit einem Punkt davor'],
        pose: [
          'haltung',
          'Sonst: winkend',
          {
            wave: 'Winkend',
            standing: 'Stehend',
            sit: 'Sitzend',
            cutesit: 'Auf dem Boden sitzend',
            handstand: 'Im Handstand',
            showing_behind: 'Von hinten',
            body: 'Gerade, von oben',
            front: 'Gerade, von vorn',
            bust: 'Kopf und Schultern',
            head: 'Der Kopf',
            face: 'Das Gesicht, flach',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `${name} hat keinen öffentlichen Skin.`,
      badSkin: (name) => `Der Skin von ${name} lässt sich nicht darstellen.`,
    },
  },
  fr: {
    label: [
      'skin',
      'Affiche le skin d’un joueur Minecraft',
      {
        player: ['joueur', 'Nom, UUID ou gamertag précédé d’un point'],
        pose: [
          'pose',
          'Sinon : salue',
          {
            wave: 'Salue',
            standing: 'Debout',
            sit: 'Assis',
            cutesit: 'Assis par terre',
            handstand: 'Sur les mains',
            showing_behind: 'De dos',
            body: 'Droit, vu d’en haut',
            front: 'Droit, vu de face',
            bust: 'La tête et les épaules',
            head: 'La tête',
            face: 'Le visage, à plat',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `${name} n’a pas de skin public.`,
      badSkin: (name) => `Le skin de ${name} ne peut pas être affiché.`,
    },
  },
  'es-ES': {
    label: [
      'skin',
      'Muestra la skin de un jugador de Minecraft',
      {
        player: ['jugador', 'Nombre, UUID o gamertag con un punto delante'],
        pose: [
          'pose',
          'Si no: saludando',
          {
            wave: 'Saludando',
            standing: 'De pie',
            sit: 'Sentado',
            cutesit: 'Sentado en el suelo',
            handstand: 'Haciendo el pino',
            showing_behind: 'De espaldas',
            body: 'Recto, desde arriba',
            front: 'Recto, de frente',
            bust: 'La cabeza y los hombros',
            head: 'La cabeza',
            face: 'La cara, plana',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `No hay ninguna skin pública de ${name}.`,
      badSkin: (name) => `La skin de ${name} no se puede dibujar.`,
    },
  },
  'pt-BR': {
    label: [
      'skin',
      'Mostra a skin de um jogador de Minecraft',
      {
        player: ['jogador', 'Nome, UUID ou gamertag com um ponto antes'],
        pose: [
          'pose',
          'Senão: acenando',
          {
            wave: 'Acenando',
            standing: 'Em pé',
            sit: 'Sentado',
            cutesit: 'Sentado no chão',
            handstand: 'Plantando bananeira',
            showing_behind: 'De costas',
            body: 'Reto, visto de cima',
            front: 'Reto, de frente',
            bust: 'A cabeça e os ombros',
            head: 'A cabeça',
            face: 'O rosto, plano',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `${name} não tem skin pública.`,
      badSkin: (name) => `A skin de ${name} não pode ser exibida.`,
    },
  },
  ja: {
    label: [
      'スキン',
      'Minecraft プレイヤーのスキンを表示します',
      {
        player: ['プレイヤー', '名前、UUID、または先頭に点を付けたゲーマータグ'],
        pose: [
          'ポーズ',
          '省略すると「手を振る」',
          {
            wave: '手を振る',
            standing: '立つ',
            sit: '座る',
            cutesit: '地面に座る',
            handstand: '逆立ち',
            showing_behind: '後ろ姿',
            body: '直立（斜め上から）',
            front: '直立（正面）',
            bust: '胸から上',
            head: '頭だけ',
            face: '顔（平面）',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `${name} のスキンは公開されていません。`,
      badSkin: (name) => `${name} のスキンは表示できません。`,
    },
  },
}
