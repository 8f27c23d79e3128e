import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/translate` and “Translate” in the menu of a message. */
export const translateText = inEachLanguage({
  labels: {
    translate: [
      ['translate', 'übersetzen', 'traduire', 'traducir', 'traduzir', '翻訳'],
      [
        'Translate a text',
        'Übersetzt einen Text',
        'Traduit un texte',
        'Traduce un texto',
        'Traduz um texto',
        '文章を翻訳します',
      ],
      {
        text: [
          ['text', 'text', 'texte', 'texto', 'texto', '文章'],
          [
            'What to translate',
            'Was übersetzt werden soll',
            'Ce qu’il faut traduire',
            'Lo que hay que traducir',
            'O que traduzir',
            '翻訳する文章',
          ],
        ],
        to: [
          ['to', 'nach', 'vers', 'a', 'para', '翻訳先'],
          [
            'Default: your language',
            'Sonst: deine Sprache',
            'Sinon : ta langue',
            'Si no: tu idioma',
            'Senão: seu idioma',
            '省略すると自分の言語',
          ],
        ],
        from: [
          ['from', 'von', 'de', 'de', 'de', '翻訳元'],
          [
            'Default: detected',
            'Sonst: automatisch erkannt',
            'Sinon : détectée',
            'Si no: se detecta',
            'Senão: detectado',
            '省略すると自動検出',
          ],
        ],
      },
    ],
    translateMenu: [
      ['Translate', 'Übersetzen', 'Traduire', 'Traducir', 'Traduzir', '翻訳する'],
      ['', '', '', '', '', ''],
    ],
  },
  words: {
    unknownLanguage: [
      'Unknown language. Choose one from the list while you type.',
      'Unbekannte Sprache. Wähle beim Tippen eine aus der Liste.',
      'Langue inconnue. Choisis-en une dans la liste pendant la saisie.',
      'Idioma desconocido. Elige uno de la lista mientras escribes.',
      'Idioma desconhecido. Escolha um da lista enquanto escreve.',
      '不明な言語です。入力中に表示される候補から選んでください。',
    ],
    noText: [
      'There is no text to translate.',
      'Es gibt keinen Text zum Übersetzen.',
      'Il n’y a pas de texte à traduire.',
      'No hay texto que traducir.',
      'Não há texto para traduzir.',
      '翻訳する文章がありません。',
    ],
    notConfigured: [
      'Translation is not set up. The bot’s operator can set LIBRETRANSLATE_URL or DEEPL_API_KEY.',
      'Übersetzen ist nicht eingerichtet. Der Betreiber des Bots kann LIBRETRANSLATE_URL oder DEEPL_API_KEY setzen.',
      'La traduction n’est pas configurée. L’administrateur du bot peut définir LIBRETRANSLATE_URL ou DEEPL_API_KEY.',
      'La traducción no está configurada. Quien administra el bot puede definir LIBRETRANSLATE_URL o DEEPL_API_KEY.',
      'A tradução não está configurada. Quem administra o bot pode definir LIBRETRANSLATE_URL ou DEEPL_API_KEY.',
      '翻訳は設定されていません。ボットの運営者が LIBRETRANSLATE_URL か DEEPL_API_KEY を設定できます。',
    ],
    original: [
      'Original message',
      'Ursprüngliche Nachricht',
      'Message d’origine',
      'Mensaje original',
      'Mensagem original',
      '元のメッセージ',
    ],
  },
})
