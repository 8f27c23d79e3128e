import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    translate: [
      'translate',
      'Translate a text',
      {
        text: ['text', 'What to translate'],
        to: ['to', 'Into which language; yours unless you choose'],
        from: ['from', 'Its language; found out unless you choose'],
      },
    ],
    translateMenu: ['Translate', ''],
  } as const satisfies Labels,
  words: {
    unknownLanguage: 'I do not know this language. Choose one of those that are offered while you type.',
    noText: 'There are no words in this that could be translated.',
    notConfigured:
      'No translation service is set up here. Its operator can set one up: LIBRETRANSLATE_URL or DEEPL_API_KEY.',
    original: 'Original message',
  },
}

/** Texts of `/translate` and “Translate” in the menu of a message. */
export const translateText: Localised<Widened<typeof en>> = {
  en,
  de: {
    labels: {
      translate: [
        'übersetzen',
        'Übersetzt einen Text',
        {
          text: ['text', 'Was übersetzt werden soll'],
          to: ['nach', 'In welche Sprache; deine, wenn du keine wählst'],
          from: ['von', 'Aus welcher Sprache; wird sonst erkannt'],
        },
      ],
      translateMenu: ['Übersetzen', ''],
    },
    words: {
      unknownLanguage: 'Diese Sprache kenne ich nicht. Wähle eine von denen, die beim Tippen angeboten werden.',
      noText: 'Darin stehen keine Wörter, die sich übersetzen ließen.',
      notConfigured:
        'Hier ist kein Übersetzungsdienst eingerichtet. Wer diesen Bot betreibt, kann einen einrichten: LIBRETRANSLATE_URL oder DEEPL_API_KEY.',
      original: 'Ursprüngliche Nachricht',
    },
  },
  fr: {
    labels: {
      translate: [
        'traduire',
        'Traduit un texte',
        {
          text: ['texte', 'Ce qu’il faut traduire'],
          to: ['vers', 'Dans quelle langue ; la tienne si tu ne choisis pas'],
          from: ['de', 'Sa langue ; devinée si tu ne choisis pas'],
        },
      ],
      translateMenu: ['Traduire', ''],
    },
    words: {
      unknownLanguage:
        'Je ne connais pas cette langue. Choisis-en une parmi celles qui sont proposées pendant la saisie.',
      noText: 'Il n’y a là aucun mot à traduire.',
      notConfigured:
        'Aucun service de traduction n’est configuré ici. La personne qui gère ce bot peut le faire : LIBRETRANSLATE_URL ou DEEPL_API_KEY.',
      original: 'Message d’origine',
    },
  },
  'es-ES': {
    labels: {
      translate: [
        'traducir',
        'Traduce un texto',
        {
          text: ['texto', 'Lo que hay que traducir'],
          to: ['a', 'A qué idioma; el tuyo si no eliges'],
          from: ['de', 'Su idioma; se averigua si no eliges'],
        },
      ],
      translateMenu: ['Traducir', ''],
    },
    words: {
      unknownLanguage: 'No conozco ese idioma. Elige uno de los que se ofrecen mientras escribes.',
      noText: 'Aquí no hay palabras que traducir.',
      notConfigured:
        'Aquí no hay configurado ningún servicio de traducción. Puede hacerlo quien administra este bot: LIBRETRANSLATE_URL o DEEPL_API_KEY.',
      original: 'Mensaje original',
    },
  },
  'pt-BR': {
    labels: {
      translate: [
        'traduzir',
        'Traduz um texto',
        {
          text: ['texto', 'O que traduzir'],
          to: ['para', 'Para qual idioma; o seu se você não escolher'],
          from: ['de', 'O idioma do texto; é descoberto se você não escolher'],
        },
      ],
      translateMenu: ['Traduzir', ''],
    },
    words: {
      unknownLanguage: 'Não conheço esse idioma. Escolha um dos que aparecem enquanto você escreve.',
      noText: 'Não há palavras aqui para traduzir.',
      notConfigured:
        'Nenhum serviço de tradução está configurado aqui. Quem mantém este bot pode fazer isso: LIBRETRANSLATE_URL ou DEEPL_API_KEY.',
      original: 'Mensagem original',
    },
  },
  ja: {
    labels: {
      translate: [
        '翻訳',
        '文章を翻訳します',
        {
          text: ['文章', '翻訳する文章'],
          to: ['翻訳先', '翻訳先の言語。選ばなければ自分の言語'],
          from: ['翻訳元', '元の言語。選ばなければ自動で判別'],
        },
      ],
      translateMenu: ['翻訳する', ''],
    },
    words: {
      unknownLanguage: 'この言語はわかりません。入力中に表示される候補から選んでください。',
      noText: '翻訳できる言葉がありません。',
      notConfigured:
        'ここには翻訳サービスが設定されていません。このボットの運営者が LIBRETRANSLATE_URL か DEEPL_API_KEY で設定できます。',
      original: '元のメッセージ',
    },
  },
}
