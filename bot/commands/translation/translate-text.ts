import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    translate: [
      'translate',
      'Translate a text',
      {
        text: ['text', 'What to translate'],
        to: ['to', 'Default: your language'],
        from: ['from', 'Default: detected'],
      },
    ],
    translateMenu: ['Translate', ''],
  } as const satisfies Labels,
  words: {
    unknownLanguage: 'Unknown language. Choose one from the list while you type.',
    noText: 'There is no text to translate.',
    notConfigured: 'Translation is not set up. The bot’s operator can set LIBRETRANSLATE_URL or DEEPL_API_KEY.',
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
          to: ['nach', 'Sonst: deine Sprache'],
          from: ['von', 'Sonst: automatisch erkannt'],
        },
      ],
      translateMenu: ['Übersetzen', ''],
    },
    words: {
      unknownLanguage: 'Unbekannte Sprache. Wähle beim Tippen eine aus der Liste.',
      noText: 'Es gibt keinen Text zum Übersetzen.',
      notConfigured:
        'Übersetzen ist nicht eingerichtet. Der Betreiber des Bots kann LIBRETRANSLATE_URL oder DEEPL_API_KEY setzen.',
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
          to: ['vers', 'Sinon : ta langue'],
          from: ['de', 'Sinon : détectée'],
        },
      ],
      translateMenu: ['Traduire', ''],
    },
    words: {
      unknownLanguage: 'Langue inconnue. Choisis-en une dans la liste pendant la saisie.',
      noText: 'Il n’y a pas de texte à traduire.',
      notConfigured:
        'La traduction n’est pas configurée. L’administrateur du bot peut définir LIBRETRANSLATE_URL ou DEEPL_API_KEY.',
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
          to: ['a', 'Si no: tu idioma'],
          from: ['de', 'Si no: se detecta'],
        },
      ],
      translateMenu: ['Traducir', ''],
    },
    words: {
      unknownLanguage: 'Idioma desconocido. Elige uno de la lista mientras escribes.',
      noText: 'No hay texto que traducir.',
      notConfigured:
        'La traducción no está configurada. Quien administra el bot puede definir LIBRETRANSLATE_URL o DEEPL_API_KEY.',
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
          to: ['para', 'Senão: seu idioma'],
          from: ['de', 'Senão: detectado'],
        },
      ],
      translateMenu: ['Traduzir', ''],
    },
    words: {
      unknownLanguage: 'Idioma desconhecido. Escolha um da lista enquanto escreve.',
      noText: 'Não há texto para traduzir.',
      notConfigured:
        'A tradução não está configurada. Quem administra o bot pode definir LIBRETRANSLATE_URL ou DEEPL_API_KEY.',
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
          to: ['翻訳先', '省略すると自分の言語'],
          from: ['翻訳元', '省略すると自動検出'],
        },
      ],
      translateMenu: ['翻訳する', ''],
    },
    words: {
      unknownLanguage: '不明な言語です。入力中に表示される候補から選んでください。',
      noText: '翻訳する文章がありません。',
      notConfigured: '翻訳は設定されていません。ボットの運営者が LIBRETRANSLATE_URL か DEEPL_API_KEY を設定できます。',
      original: '元のメッセージ',
    },
  },
}
