import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'skin',
    'Show how a Minecraft player looks',
    {
      player: ['player', 'A name, a UUID, or a gamertag with a dot before it'],
      pose: [
        'pose',
        'How they hold themselves; waving unless you choose',
        {
          wave: 'Waving',
          standing: 'Standing',
          sit: 'Sitting',
          cutesit: 'Sitting on the ground',
          handstand: 'Handstand',
          showing_behind: 'From behind',
          body: 'Straight, from above',
          front: 'Straight, from the front',
          head: 'The head',
        },
      ],
    },
  ] as const satisfies Label,
  words: {
    noSkin: (name: string) => `No skin of ${name} is public.`,
    badSkin: (name: string) => `The skin of ${name} cannot be drawn.`,
  },
}

/** Texts of `/skin`. */
export const skinText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'skin',
      'Zeigt, wie jemand in Minecraft aussieht',
      {
        player: ['spieler', 'Name, UUID oder Gamertag mit einem Punkt davor'],
        pose: [
          'haltung',
          'Winkend, wenn du nichts wählst',
          {
            wave: 'Winkend',
            standing: 'Stehend',
            sit: 'Sitzend',
            cutesit: 'Auf dem Boden sitzend',
            handstand: 'Im Handstand',
            showing_behind: 'Von hinten',
            body: 'Gerade, von oben',
            front: 'Gerade, von vorn',
            head: 'Der Kopf',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `Von ${name} ist kein Skin öffentlich.`,
      badSkin: (name) => `Der Skin von ${name} lässt sich nicht zeichnen.`,
    },
  },
  fr: {
    label: [
      'skin',
      'Montre l’apparence d’un joueur de Minecraft',
      {
        player: ['joueur', 'Un nom, un UUID ou un gamertag précédé d’un point'],
        pose: [
          'pose',
          'En train de saluer si tu ne choisis rien',
          {
            wave: 'Salue',
            standing: 'Debout',
            sit: 'Assis',
            cutesit: 'Assis par terre',
            handstand: 'Sur les mains',
            showing_behind: 'De dos',
            body: 'Droit, vu d’en haut',
            front: 'Droit, vu de face',
            head: 'La tête',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `Aucun skin de ${name} n’est public.`,
      badSkin: (name) => `Le skin de ${name} ne peut pas être dessiné.`,
    },
  },
  'es-ES': {
    label: [
      'skin',
      'Muestra el aspecto de un jugador de Minecraft',
      {
        player: ['jugador', 'Un nombre, un UUID o un gamertag con un punto delante'],
        pose: [
          'pose',
          'Saludando si no eliges nada',
          {
            wave: 'Saludando',
            standing: 'De pie',
            sit: 'Sentado',
            cutesit: 'Sentado en el suelo',
            handstand: 'Haciendo el pino',
            showing_behind: 'De espaldas',
            body: 'Recto, desde arriba',
            front: 'Recto, de frente',
            head: 'La cabeza',
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
      'Mostra a aparência de um jogador de Minecraft',
      {
        player: ['jogador', 'Um nome, um UUID ou um gamertag com um ponto antes'],
        pose: [
          'pose',
          'Acenando, se você não escolher',
          {
            wave: 'Acenando',
            standing: 'Em pé',
            sit: 'Sentado',
            cutesit: 'Sentado no chão',
            handstand: 'Plantando bananeira',
            showing_behind: 'De costas',
            body: 'Reto, visto de cima',
            front: 'Reto, de frente',
            head: 'A cabeça',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `Nenhuma skin de ${name} é pública.`,
      badSkin: (name) => `A skin de ${name} não pode ser desenhada.`,
    },
  },
  ja: {
    label: [
      'スキン',
      'Minecraft のプレイヤーの見た目を表示',
      {
        player: ['プレイヤー', '名前、UUID、またはドットを付けたゲーマータグ'],
        pose: [
          'ポーズ',
          '選ばなければ手を振ります',
          {
            wave: '手を振る',
            standing: '立つ',
            sit: '座る',
            cutesit: '地面に座る',
            handstand: '逆立ち',
            showing_behind: '後ろ姿',
            body: '直立（斜め上から）',
            front: '直立（正面）',
            head: '頭だけ',
          },
        ],
      },
    ],
    words: {
      noSkin: (name) => `${name} のスキンは公開されていません。`,
      badSkin: (name) => `${name} のスキンは描けません。`,
    },
  },
}
