import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'
import type { Allowance } from './allowance.ts'
import type { Area } from './areas.ts'

const en = {
  label: [
    'help',
    'What I can do, and what you may do here',
    { command: ['command', 'One command in detail'] },
  ] as const satisfies Label,
  words: {
    areas: {
      play: 'Play and find music',
      control: 'Control what plays',
      queue: 'The queue',
      sound: 'The sound',
      server: 'This server',
      lookups: 'Look things up',
      pictures: 'Pictures',
      gestures: 'Gestures',
    } satisfies Readonly<Record<Area, string>>,
    allowances: {
      allowed: 'you may',
      vote: 'by a vote',
      refused: 'not you, as this server is set',
      off: 'switched off here',
    } satisfies Readonly<Record<Allowance, string>>,
    choose: 'Choose an area',
    unknown: 'I know no such command. /help shows them all.',
  },
}

/** Texts of `/help`. */
export const helpText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['hilfe', 'Was ich kann, und was du hier darfst', { command: ['befehl', 'Ein Befehl im Einzelnen'] }],
    words: {
      areas: {
        play: 'Musik spielen und finden',
        control: 'Steuern, was läuft',
        queue: 'Die Warteschlange',
        sound: 'Der Klang',
        server: 'Dieser Server',
        lookups: 'Nachschlagen',
        pictures: 'Bilder',
        gestures: 'Gesten',
      },
      allowances: {
        allowed: 'darfst du',
        vote: 'mit Abstimmung',
        refused: 'du nicht, so ist der Server eingestellt',
        off: 'hier ausgeschaltet',
      },
      choose: 'Wähle einen Bereich',
      unknown: 'Diesen Befehl kenne ich nicht. /hilfe zeigt alle.',
    },
  },
  fr: {
    label: [
      'aide',
      'Ce que je sais faire, et ce que tu peux faire ici',
      { command: ['commande', 'Une commande en détail'] },
    ],
    words: {
      areas: {
        play: 'Jouer et trouver de la musique',
        control: 'Contrôler la lecture',
        queue: 'La file d’attente',
        sound: 'Le son',
        server: 'Ce serveur',
        lookups: 'Rechercher',
        pictures: 'Images',
        gestures: 'Gestes',
      },
      allowances: {
        allowed: 'tu peux',
        vote: 'par vote',
        refused: 'pas toi, selon les réglages du serveur',
        off: 'désactivé ici',
      },
      choose: 'Choisis un domaine',
      unknown: 'Je ne connais pas cette commande. /aide les montre toutes.',
    },
  },
  'es-ES': {
    label: ['ayuda', 'Lo que sé hacer y lo que puedes hacer aquí', { command: ['comando', 'Un comando en detalle'] }],
    words: {
      areas: {
        play: 'Poner y encontrar música',
        control: 'Controlar lo que suena',
        queue: 'La cola',
        sound: 'El sonido',
        server: 'Este servidor',
        lookups: 'Consultar',
        pictures: 'Imágenes',
        gestures: 'Gestos',
      },
      allowances: {
        allowed: 'puedes',
        vote: 'por votación',
        refused: 'tú no, según los ajustes del servidor',
        off: 'desactivado aquí',
      },
      choose: 'Elige un tema',
      unknown: 'No conozco ese comando. /ayuda los muestra todos.',
    },
  },
  'pt-BR': {
    label: ['ajuda', 'O que sei fazer e o que você pode fazer aqui', { command: ['comando', 'Um comando em detalhe'] }],
    words: {
      areas: {
        play: 'Tocar e encontrar música',
        control: 'Controlar o que toca',
        queue: 'A fila',
        sound: 'O som',
        server: 'Este servidor',
        lookups: 'Consultar',
        pictures: 'Imagens',
        gestures: 'Gestos',
      },
      allowances: {
        allowed: 'você pode',
        vote: 'por votação',
        refused: 'você não, conforme o servidor',
        off: 'desativado aqui',
      },
      choose: 'Escolha um assunto',
      unknown: 'Não conheço esse comando. /ajuda mostra todos.',
    },
  },
  ja: {
    label: ['ヘルプ', 'できることと、ここであなたが使えるもの', { command: ['コマンド', '一つのコマンドの詳細'] }],
    words: {
      areas: {
        play: '音楽を探して再生',
        control: '再生の操作',
        queue: 'キュー',
        sound: '音',
        server: 'このサーバー',
        lookups: '調べもの',
        pictures: '画像',
        gestures: 'しぐさ',
      },
      allowances: {
        allowed: '使えます',
        vote: '投票で使えます',
        refused: 'サーバーの設定により使えません',
        off: 'ここではオフです',
      },
      choose: '分野を選んでください',
      unknown: 'そのコマンドはありません。/ヘルプ で一覧を表示します。',
    },
  },
}
