import type { Label } from '../labels/label.ts'
import { pick, type Localised } from '../i18n/languages.ts'

interface Labels {
  readonly skin: Label
  readonly screenshot: Label
}

const en: Labels = {
  skin: [
    'skin',
    'Show how a Minecraft player looks',
    {
      player: ['player', 'A name, a UUID, or a gamertag with a dot before it'],
      pose: [
        'pose',
        'How they hold themselves; waving unless you choose',
        {
          wave: ['Waving', ''],
          standing: ['Standing', ''],
          sit: ['Sitting', ''],
          cutesit: ['Sitting on the ground', ''],
          handstand: ['Handstand', ''],
          showing_behind: ['From behind', ''],
          body: ['Straight, from above', ''],
          front: ['Straight, from the front', ''],
          head: ['The head', ''],
        },
      ],
    },
  ],
  screenshot: [
    'screenshot',
    'Show how a website looks',
    {
      url: ['url', 'Its address, like https://example.org'],
      device: ['device', 'Desktop unless you choose', { desktop: ['Desktop', ''], mobile: ['Phone', ''] }],
      fullpage: ['fullpage', 'The whole page instead of its beginning'],
    },
  ],
}

const de: Labels = {
  skin: [
    'skin',
    'Zeigt, wie jemand in Minecraft aussieht',
    {
      player: ['spieler', 'Name, UUID oder Gamertag mit einem Punkt davor'],
      pose: [
        'haltung',
        'Winkend, wenn du nichts wählst',
        {
          wave: ['Winkend', ''],
          standing: ['Stehend', ''],
          sit: ['Sitzend', ''],
          cutesit: ['Auf dem Boden sitzend', ''],
          handstand: ['Im Handstand', ''],
          showing_behind: ['Von hinten', ''],
          body: ['Gerade, von oben', ''],
          front: ['Gerade, von vorn', ''],
          head: ['Der Kopf', ''],
        },
      ],
    },
  ],
  screenshot: [
    'bildschirmfoto',
    'Zeigt, wie eine Website aussieht',
    {
      url: ['url', 'Ihre Adresse, wie https://example.org'],
      device: ['gerät', 'Computer, wenn du nichts wählst', { desktop: ['Computer', ''], mobile: ['Handy', ''] }],
      fullpage: ['ganze_seite', 'Die ganze Seite statt ihres Anfangs'],
    },
  ],
}

const fr: Labels = {
  skin: [
    'skin',
    'Montre l’apparence d’un joueur de Minecraft',
    {
      player: ['joueur', 'Un nom, un UUID ou un gamertag précédé d’un point'],
      pose: [
        'pose',
        'En train de saluer si tu ne choisis rien',
        {
          wave: ['Salue', ''],
          standing: ['Debout', ''],
          sit: ['Assis', ''],
          cutesit: ['Assis par terre', ''],
          handstand: ['Sur les mains', ''],
          showing_behind: ['De dos', ''],
          body: ['Droit, vu d’en haut', ''],
          front: ['Droit, vu de face', ''],
          head: ['La tête', ''],
        },
      ],
    },
  ],
  screenshot: [
    'capture',
    'Montre l’apparence d’un site web',
    {
      url: ['url', 'Son adresse, comme https://example.org'],
      device: ['appareil', 'Ordinateur par défaut', { desktop: ['Ordinateur', ''], mobile: ['Téléphone', ''] }],
      fullpage: ['page_entière', 'La page entière au lieu de son début'],
    },
  ],
}

const es: Labels = {
  skin: [
    'skin',
    'Muestra el aspecto de un jugador de Minecraft',
    {
      player: ['jugador', 'Un nombre, un UUID o un gamertag con un punto delante'],
      pose: [
        'pose',
        'Saludando si no eliges nada',
        {
          wave: ['Saludando', ''],
          standing: ['De pie', ''],
          sit: ['Sentado', ''],
          cutesit: ['Sentado en el suelo', ''],
          handstand: ['Haciendo el pino', ''],
          showing_behind: ['De espaldas', ''],
          body: ['Recto, desde arriba', ''],
          front: ['Recto, de frente', ''],
          head: ['La cabeza', ''],
        },
      ],
    },
  ],
  screenshot: [
    'captura',
    'Muestra el aspecto de un sitio web',
    {
      url: ['url', 'Su dirección, como https://example.org'],
      device: ['dispositivo', 'Ordenador si no eliges', { desktop: ['Ordenador', ''], mobile: ['Móvil', ''] }],
      fullpage: ['página_entera', 'La página entera en vez del principio'],
    },
  ],
}

const pt: Labels = {
  skin: [
    'skin',
    'Mostra a aparência de um jogador de Minecraft',
    {
      player: ['jogador', 'Um nome, um UUID ou um gamertag com um ponto antes'],
      pose: [
        'pose',
        'Acenando, se você não escolher',
        {
          wave: ['Acenando', ''],
          standing: ['Em pé', ''],
          sit: ['Sentado', ''],
          cutesit: ['Sentado no chão', ''],
          handstand: ['Plantando bananeira', ''],
          showing_behind: ['De costas', ''],
          body: ['Reto, visto de cima', ''],
          front: ['Reto, de frente', ''],
          head: ['A cabeça', ''],
        },
      ],
    },
  ],
  screenshot: [
    'captura',
    'Mostra a aparência de um site',
    {
      url: ['url', 'O endereço, como https://example.org'],
      device: ['aparelho', 'Computador, se não escolher', { desktop: ['Computador', ''], mobile: ['Celular', ''] }],
      fullpage: ['página_inteira', 'A página inteira em vez do começo'],
    },
  ],
}

const ja: Labels = {
  skin: [
    'スキン',
    'Minecraft のプレイヤーの見た目を表示',
    {
      player: ['プレイヤー', '名前、UUID、またはドットを付けたゲーマータグ'],
      pose: [
        'ポーズ',
        '選ばなければ手を振ります',
        {
          wave: ['手を振る', ''],
          standing: ['立つ', ''],
          sit: ['座る', ''],
          cutesit: ['地面に座る', ''],
          handstand: ['逆立ち', ''],
          showing_behind: ['後ろ姿', ''],
          body: ['直立（斜め上から）', ''],
          front: ['直立（正面）', ''],
          head: ['頭だけ', ''],
        },
      ],
    },
  ],
  screenshot: [
    'スクリーンショット',
    'ウェブサイトの見た目を表示',
    {
      url: ['url', 'https://example.org のようなアドレス'],
      device: ['端末', '選ばなければパソコン', { desktop: ['パソコン', ''], mobile: ['スマホ', ''] }],
      fullpage: ['ページ全体', '最初の部分だけでなくページ全体'],
    },
  ],
}

const LABELS: Localised<Labels> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }

/** The label of a render's command in every language. */
export function renderLabels(command: keyof Labels): Localised<Label> {
  return pick(LABELS, (labels): Label => labels[command])
}
