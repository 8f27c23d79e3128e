import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'verse',
    'Read or search the Bible',
    {
      passage: ['passage', 'For example John 3:16-18, or words to search for'],
      translation: ['translation', 'Default: one in your language'],
    },
  ] as const satisfies Label,
  words: {
    unknownPassage: (passage: string) => `This translation does not contain ${passage}.`,
    unknownTranslation: 'Unknown translation. Choose one from the list while you type.',
    noTranslations: 'No Bible translation is installed. The bot’s operator can import one.',
    nothingFound: (words: string) => `No verse contains “${words}”.`,
    found: (count: string, words: string) => `Verses with “${words}”: ${count}`,
    more: (count: string) => `and ${count} more`,
  },
}

/** Texts of `/verse`. */
export const verseText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'vers',
      'Liest die Bibel oder sucht darin',
      {
        passage: ['stelle', 'Zum Beispiel Johannes 3:16-18 oder ein Suchbegriff'],
        translation: ['übersetzung', 'Sonst: eine in deiner Sprache'],
      },
    ],
    words: {
      unknownPassage: (passage) => `In dieser Übersetzung gibt es ${passage} nicht.`,
      unknownTranslation: 'Unbekannte Übersetzung. Wähle beim Tippen eine aus der Liste.',
      noTranslations: 'Es ist keine Bibelübersetzung installiert. Der Betreiber des Bots kann eine importieren.',
      nothingFound: (words) => `In keinem Vers steht „${words}“.`,
      found: (count, words) => `Verse mit „${words}“: ${count}`,
      more: (count) => `und ${count} weitere`,
    },
  },
  fr: {
    label: [
      'verset',
      'Lit la Bible ou y cherche',
      {
        passage: ['passage', 'Par exemple Jean 3:16-18 ou des mots à chercher'],
        translation: ['traduction', 'Sinon : une dans ta langue'],
      },
    ],
    words: {
      unknownPassage: (passage) => `Cette traduction ne contient pas ${passage}.`,
      unknownTranslation: 'Traduction inconnue. Choisis-en une dans la liste.',
      noTranslations: 'Aucune traduction de la Bible n’est installée. L’administrateur du bot peut en importer une.',
      nothingFound: (words) => `Aucun verset ne contient « ${words} ».`,
      found: (count, words) => `Versets avec « ${words} » : ${count}`,
      more: (count) => `et ${count} autres`,
    },
  },
  'es-ES': {
    label: [
      'versículo',
      'Lee la Biblia o busca en ella',
      {
        passage: ['pasaje', 'Por ejemplo Juan 3:16-18, o palabras que buscar'],
        translation: ['traducción', 'Si no: una en tu idioma'],
      },
    ],
    words: {
      unknownPassage: (passage) => `Esta traducción no contiene ${passage}.`,
      unknownTranslation: 'Traducción desconocida. Elige una de la lista mientras escribes.',
      noTranslations: 'No hay ninguna traducción de la Biblia instalada. Quien administra el bot puede importar una.',
      nothingFound: (words) => `Ningún versículo contiene «${words}».`,
      found: (count, words) => `Versículos con «${words}»: ${count}`,
      more: (count) => `y ${count} más`,
    },
  },
  'pt-BR': {
    label: [
      'versículo',
      'Lê a Bíblia ou procura nela',
      {
        passage: ['passagem', 'Por exemplo João 3:16-18, ou palavras para procurar'],
        translation: ['tradução', 'Senão: uma no seu idioma'],
      },
    ],
    words: {
      unknownPassage: (passage) => `Esta tradução não contém ${passage}.`,
      unknownTranslation: 'Tradução desconhecida. Escolha uma da lista enquanto escreve.',
      noTranslations: 'Nenhuma tradução da Bíblia está instalada. Quem administra o bot pode importar uma.',
      nothingFound: (words) => `Nenhum versículo contém “${words}”.`,
      found: (count, words) => `Versículos com “${words}”: ${count}`,
      more: (count) => `e mais ${count}`,
    },
  },
  ja: {
    label: [
      '聖句',
      '聖書を読んだり検索したりします',
      { passage: ['箇所', '例：John 3:16-18、または検索する言葉'], translation: ['訳', '省略すると自分の言語の訳'] },
    ],
    words: {
      unknownPassage: (passage) => `この訳に ${passage} はありません。`,
      unknownTranslation: '不明な訳です。入力中に表示される候補から選んでください。',
      noTranslations: '聖書の訳がインストールされていません。ボットの運営者がインポートできます。',
      nothingFound: (words) => `「${words}」を含む節はありません。`,
      found: (count, words) => `「${words}」を含む節：${count}`,
      more: (count) => `ほか ${count} 節`,
    },
  },
}
