import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/verse`. */
export const verseText = inEachLanguage({
  label: [
    ['verse', 'vers', 'verset', 'versículo', 'versículo', '聖句'],
    [
      'Read or search the Bible',
      'Liest die Bibel oder sucht darin',
      'Lit la Bible ou y cherche',
      'Lee la Biblia o busca en ella',
      'Lê a Bíblia ou procura nela',
      '聖書を読んだり検索したりします',
    ],
    {
      passage: [
        ['passage', 'stelle', 'passage', 'pasaje', 'passagem', '箇所'],
        [
          'For example John 3:16-18, or words to search for',
          'Zum Beispiel Johannes 3:16-18 oder ein Suchbegriff',
          'Par exemple Jean 3:16-18 ou des mots à chercher',
          'Por ejemplo Juan 3:16-18, o palabras que buscar',
          'Por exemplo João 3:16-18, ou palavras para procurar',
          '例：John 3:16-18、または検索する言葉',
        ],
      ],
      translation: [
        ['translation', 'übersetzung', 'traduction', 'traducción', 'tradução', '訳'],
        [
          'Default: one in your language',
          'Sonst: eine in deiner Sprache',
          'Sinon : une dans ta langue',
          'Si no: una en tu idioma',
          'Senão: uma no seu idioma',
          '省略すると自分の言語の訳',
        ],
      ],
    },
  ],
  words: {
    unknownPassage: [
      'This translation does not contain {passage}.',
      'In dieser Übersetzung gibt es {passage} nicht.',
      'Cette traduction ne contient pas {passage}.',
      'Esta traducción no contiene {passage}.',
      'Esta tradução não contém {passage}.',
      'この訳に {passage} はありません。',
    ],
    unknownTranslation: [
      'Unknown translation. Choose one from the list while you type.',
      'Unbekannte Übersetzung. Wähle beim Tippen eine aus der Liste.',
      'Traduction inconnue. Choisis-en une dans la liste.',
      'Traducción desconocida. Elige una de la lista mientras escribes.',
      'Tradução desconhecida. Escolha uma da lista enquanto escreve.',
      '不明な訳です。入力中に表示される候補から選んでください。',
    ],
    noTranslations: [
      'No Bible translation is installed. The bot’s operator can import one.',
      'Es ist keine Bibelübersetzung installiert. Der Betreiber des Bots kann eine importieren.',
      'Aucune traduction de la Bible n’est installée. L’administrateur du bot peut en importer une.',
      'No hay ninguna traducción de la Biblia instalada. Quien administra el bot puede importar una.',
      'Nenhuma tradução da Bíblia está instalada. Quem administra o bot pode importar uma.',
      '聖書の訳がインストールされていません。ボットの運営者がインポートできます。',
    ],
    nothingFound: [
      'No verse contains “{words}”.',
      'In keinem Vers steht „{words}“.',
      'Aucun verset ne contient « {words} ».',
      'Ningún versículo contiene «{words}».',
      'Nenhum versículo contém “{words}”.',
      '「{words}」を含む節はありません。',
    ],
    found: [
      'Verses with “{words}”: {count}',
      'Verse mit „{words}“: {count}',
      'Versets avec « {words} » : {count}',
      'Versículos con «{words}»: {count}',
      'Versículos com “{words}”: {count}',
      '「{words}」を含む節：{count}',
    ],
    more: [
      'and {count} more',
      'und {count} weitere',
      'et {count} autres',
      'y {count} más',
      'e mais {count}',
      'ほか {count} 節',
    ],
  },
})
