import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'verse',
    'Read the Bible, or search in it',
    {
      passage: ['passage', 'Like John 3:16-18, or words to search for'],
      translation: ['translation', 'One in your language unless you choose'],
    },
  ] as const satisfies Label,
  words: {
    unknownPassage: (passage: string) => `This translation has no ${passage}.`,
    unknownTranslation: 'I do not know this translation. Choose one of those that are offered while you type.',
    noTranslations: 'There are no Bible translations here. Its operator can import one.',
    nothingFound: (words: string) => `No verse has “${words}” in it.`,
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
        passage: ['stelle', 'Etwa Johannes 3:16-18, oder Wörter, nach denen gesucht wird'],
        translation: ['übersetzung', 'Eine in deiner Sprache, wenn du keine wählst'],
      },
    ],
    words: {
      unknownPassage: (passage) => `In dieser Übersetzung gibt es ${passage} nicht.`,
      unknownTranslation: 'Diese Übersetzung kenne ich nicht. Wähle eine von denen, die beim Tippen angeboten werden.',
      noTranslations: 'Hier gibt es keine Bibelübersetzungen. Wer diesen Bot betreibt, kann welche einlesen.',
      nothingFound: (words) => `In keinem Vers steht „${words}“.`,
      found: (count, words) => `Verse mit „${words}“: ${count}`,
      more: (count) => `und ${count} weitere`,
    },
  },
  fr: {
    label: [
      'verset',
      'Lit la Bible, ou y cherche',
      {
        passage: ['passage', 'Par exemple Jean 3:16-18, ou des mots à chercher'],
        translation: ['traduction', 'Une dans ta langue si tu ne choisis pas'],
      },
    ],
    words: {
      unknownPassage: (passage) => `Cette traduction n’a pas ${passage}.`,
      unknownTranslation: 'Je ne connais pas cette traduction. Choisis-en une parmi celles qui sont proposées.',
      noTranslations: 'Il n’y a pas de traduction de la Bible ici. La personne qui gère ce bot peut en importer une.',
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
        translation: ['traducción', 'Una en tu idioma si no eliges'],
      },
    ],
    words: {
      unknownPassage: (passage) => `Esta traducción no tiene ${passage}.`,
      unknownTranslation: 'No conozco esa traducción. Elige una de las que se ofrecen mientras escribes.',
      noTranslations: 'Aquí no hay traducciones de la Biblia. Quien administra este bot puede importar una.',
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
        translation: ['tradução', 'Uma no seu idioma se você não escolher'],
      },
    ],
    words: {
      unknownPassage: (passage) => `Esta tradução não tem ${passage}.`,
      unknownTranslation: 'Não conheço essa tradução. Escolha uma das que aparecem enquanto você escreve.',
      noTranslations: 'Não há traduções da Bíblia aqui. Quem mantém este bot pode importar uma.',
      nothingFound: (words) => `Nenhum versículo tem “${words}”.`,
      found: (count, words) => `Versículos com “${words}”: ${count}`,
      more: (count) => `e mais ${count}`,
    },
  },
  ja: {
    label: [
      '聖句',
      '聖書を読む、または検索します',
      { passage: ['箇所', '例：John 3:16-18、または検索する言葉'], translation: ['訳', '選ばなければ自分の言語の訳'] },
    ],
    words: {
      unknownPassage: (passage) => `この訳に ${passage} はありません。`,
      unknownTranslation: 'この訳はわかりません。入力中に表示される候補から選んでください。',
      noTranslations: 'ここには聖書の訳がありません。このボットの運営者が取り込むことができます。',
      nothingFound: (words) => `「${words}」を含む節はありません。`,
      found: (count, words) => `「${words}」を含む節：${count}`,
      more: (count) => `ほか ${count} 節`,
    },
  },
}
