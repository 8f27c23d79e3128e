import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'
import type { Allowance } from './allowance.ts'
import type { Area } from './areas.ts'

const en = {
  label: [
    'help',
    'Show the commands and what you can do here',
    { command: ['command', 'The command to explain'] },
  ] as const satisfies Label,
  words: {
    areas: {
      play: 'Find and play music',
      control: 'Control playback',
      queue: 'Queue',
      sound: 'Sound',
      server: 'This server',
      lookups: 'Lookups',
      pictures: 'Pictures',
      gestures: 'Actions',
    } satisfies Readonly<Record<Area, string>>,
    allowances: {
      allowed: 'allowed',
      vote: 'by vote',
      refused: 'not allowed for you',
      off: 'turned off',
    } satisfies Readonly<Record<Allowance, string>>,
    choose: 'Choose a topic',
    unknown: 'That command does not exist. See all with /help.',
  },
}

/** Texts of `/help`. */
export const helpText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['hilfe', 'Zeigt die Befehle und was du hier darfst', { command: ['befehl', 'Welcher Befehl'] }],
    words: {
      areas: {
        play: 'Musik finden und abspielen',
        control: 'Wiedergabe steuern',
        queue: 'Warteschlange',
        sound: 'Klang',
        server: 'Dieser Server',
        lookups: 'Nachschlagen',
        pictures: 'Bilder',
        gestures: 'Aktionen',
      },
      allowances: {
        allowed: 'erlaubt',
        vote: 'per Abstimmung',
        refused: 'für dich nicht erlaubt',
        off: 'ausgeschaltet',
      },
      choose: 'Wähle ein Thema',
      unknown: 'Diesen Befehl gibt es nicht. Alle siehst du mit /hilfe.',
    },
  },
  fr: {
    label: [
      'aide',
      'Montre les commandes et ce que tu peux faire ici',
      { command: ['commande', 'La commande à expliquer'] },
    ],
    words: {
      areas: {
        play: 'Trouver et lire de la musique',
        control: 'Contrôler la lecture',
        queue: 'File d’attente',
        sound: 'Son',
        server: 'Ce serveur',
        lookups: 'Rechercher',
        pictures: 'Images',
        gestures: 'Actions',
      },
      allowances: {
        allowed: 'autorisé',
        vote: 'par vote',
        refused: 'pas autorisé pour toi',
        off: 'désactivé',
      },
      choose: 'Choisis un thème',
      unknown: 'Cette commande n’existe pas. Vois-les toutes avec /aide.',
    },
  },
  'es-ES': {
    label: [
      'ayuda',
      'Muestra los comandos y lo que puedes hacer aquí',
      { command: ['comando', 'El comando que explicar'] },
    ],
    words: {
      areas: {
        play: 'Buscar y poner música',
        control: 'Controlar la reproducción',
        queue: 'Cola',
        sound: 'Sonido',
        server: 'Este servidor',
        lookups: 'Consultas',
        pictures: 'Imágenes',
        gestures: 'Acciones',
      },
      allowances: {
        allowed: 'permitido',
        vote: 'por votación',
        refused: 'no permitido para ti',
        off: 'desactivado',
      },
      choose: 'Elige un tema',
      unknown: 'Ese comando no existe. Los tienes todos en /ayuda.',
    },
  },
  'pt-BR': {
    label: [
      'ajuda',
      'Mostra os comandos e o que você pode fazer aqui',
      { command: ['comando', 'O comando a explicar'] },
    ],
    words: {
      areas: {
        play: 'Buscar e tocar música',
        control: 'Controlar a reprodução',
        queue: 'Fila',
        sound: 'Som',
        server: 'Este servidor',
        lookups: 'Consultas',
        pictures: 'Imagens',
        gestures: 'Acciones',
      },
      allowances: {
        allowed: 'permitido',
        vote: 'por votação',
        refused: 'não permitido para você',
        off: 'desativado',
      },
      choose: 'Escolha um assunto',
      unknown: 'Esse comando não existe. Veja todos com /ajuda.',
    },
  },
  ja: {
    label: ['ヘルプ', 'コマンドと、ここで使えるものを表示します', { command: ['コマンド', '説明するコマンド'] }],
    words: {
      areas: {
        play: '音楽を探して再生',
        control: '再生の操作',
        queue: 'キュー',
        sound: '音',
        server: 'このサーバー',
        lookups: '検索・調べもの',
        pictures: '画像',
        gestures: 'アクション',
      },
      allowances: {
        allowed: '使用可',
        vote: '投票で使用可',
        refused: 'あなたは使用不可',
        off: 'オフ',
      },
      choose: 'カテゴリーを選んでください',
      unknown: 'そのコマンドはありません。/ヘルプ で一覧を確認できます。',
    },
  },
}
