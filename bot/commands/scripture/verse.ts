import { Fault } from '../../../lib/errors.ts'
import { SearchQuery, TranslationPath, type TranslationItem } from '../../../upstream/scripture/schemas.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { input, optional, type Suggest, labelOf } from '../core/options.ts'
import { Refusal, say, type Reply } from '../core/reply.ts'
import { lookUp } from '../core/lookup.ts'
import { description, matching, plain, title } from '../core/embed-format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const verseText = textOf('scripture', 'verse')

const MOST_SHOWN = 6
const LONGEST_HIT = 400
const COLOUR = 0x9b6b43

/** Those in the member's language come first. */
const suggestTranslations: Suggest = async (typed, { language }, { utilities }) => {
  const all = await utilities.scripture.translations()
  const isOwn = isIn(language)
  const choices = all
    .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
    .map(({ code, name, language: spoken }) => ({
      name: `${name} (${spoken})`,
      value: code,
    }))
  return matching(choices, typed)
}

export const verse = command({
  name: 'verse',
  labels: labelOf(verseText),
  rule: 'anyone',
  options: {
    passage: input(SearchQuery.shape.q),
    translation: optional(input(TranslationPath.shape.translation, { suggest: suggestTranslations })),
  },
  async run(invocation, context) {
    const { passage } = invocation.options
    const translation = await findTranslation(invocation, context)
    try {
      return await read(passage, translation, invocation, context)
    } catch (error) {
      // If it is not a reference, search for the words.
      if (error instanceof NoReference) return await find(passage, translation, invocation, context)
      throw error
    }
  },
})

class NoReference extends Error {}

async function read(
  passage: string,
  { code, name }: TranslationItem,
  { language }: Invocation,
  context: CommandContext,
): Promise<Reply> {
  const words = verseText[language].words
  const read = context.utilities.scripture.verses(code, passage, language).catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'validation_error' ? new NoReference() : error
  })
  const looking = { missing: words.unknownPassage({ passage: plain(passage, 100) }), invalid: words.unknownTranslation }
  const [first, ...others] = await lookUp(read, looking)
  if (!first) throw new Refusal(looking.missing)
  const fields = others.map(({ reference, text: said }) => ({ name: reference, value: plain(said, 1000) }))
  return say({
    embeds: [
      {
        title: `📖 ${title(first.reference)}`,
        description: description(plain(first.text, 3900)),
        fields: fields.slice(0, MOST_SHOWN),
        color: COLOUR,
        footer: { text: name },
      },
    ],
  })
}

async function find(
  searched: string,
  { code, name }: TranslationItem,
  { language }: Invocation,
  { utilities }: CommandContext,
): Promise<Reply> {
  const words = verseText[language].words
  const nothing = words.nothingFound({ words: plain(searched, 100) })
  const hits = await lookUp(utilities.scripture.search(code, searched), { missing: nothing, invalid: nothing })
  if (hits.length === 0) throw new Refusal(nothing)
  const shown = hits.slice(0, MOST_SHOWN).map(({ book, chapter, verse: number, text: said }) => ({
    name: `${book} ${chapter}:${number}`,
    value: plain(said, LONGEST_HIT),
  }))
  const left = hits.length - shown.length
  const more = left > 0 ? ` · ${words.more({ count: left })}` : ''
  const heading = words.found({ count: hits.length, words: plain(searched, 100) })
  return say({
    embeds: [{ title: `🔎 ${title(heading)}`, fields: shown, color: COLOUR, footer: { text: `${name}${more}` } }],
  })
}

/** What reads well in each language, the best first; codes of getBible, helloao and bolls.life. */
const PREFERRED: Readonly<Record<Language, readonly string[]>> = {
  en: ['web', 'BSB', 'kjv', 'asv'],
  de: ['schlachter', 'deu_sch', 'luther1912', 'LUT', 'elberfelder1905', 'elberfelder'],
  fr: ['ls1910', 'fra_lsg', 'FRLSG', 'martin', 'darby'],
  'es-ES': ['valera', 'rv1909', 'spa_rv', 'RV1960', 'rv1858', 'sse'],
  'pt-BR': ['almeida', 'por_blj', 'ARA', 'livre'],
  ja: ['kougo', 'japkougo', 'jpn_kou', 'NJB', 'japbungo'],
}

async function findTranslation(
  { options: { translation }, language }: Invocation<{ readonly translation: string | null }>,
  { utilities }: CommandContext,
): Promise<TranslationItem> {
  const words = verseText[language].words
  const all = await utilities.scripture.translations()
  if (all.length === 0) throw new Refusal(words.noTranslations)
  if (translation !== null) {
    const wanted = translation.toLowerCase()
    const named = all.find(({ code, name }) => code.toLowerCase() === wanted || name.toLowerCase() === wanted)
    // The look-up itself understands more ways to write a code.
    return named ?? { code: translation, name: translation, language: '', description: '' }
  }
  const chosen = preferred(all, language) ?? preferred(all, 'en') ?? all[0]
  if (!chosen) throw new Refusal(words.noTranslations)
  return chosen
}

function preferred(all: readonly TranslationItem[], language: Language): TranslationItem | undefined {
  const byCode = new Map(all.map((one) => [one.code.toLowerCase(), one]))
  const known = PREFERRED[language].map((code) => byCode.get(code.toLowerCase())).find((one) => one !== undefined)
  return known ?? all.find(isIn(language))
}

/** Translations say in English which language they are in. */
function isIn(language: Language): (one: TranslationItem) => boolean {
  const english = new Intl.DisplayNames('en', { type: 'language' }).of(language.split('-')[0] ?? language)
  return (one) => one.language === english
}
