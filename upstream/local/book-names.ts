import { bcv_parser as Parser } from 'bible-passage-reference-parser/esm/bcv_parser.js'

/** English names that the parser does not know. */
const MORE: ReadonlyMap<string, string> = new Map([
  ['canticles', 'Song'],
  ['canticle of canticles', 'Song'],
  ['apocalypse', 'Rev'],
  ['the apocalypse', 'Rev'],
])

/** Languages whose book names the parser has; `ascii` and `full` are mixtures of them. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'ar bg ceb cs cy da de el en es fa fi fr he hi hr ht hu id is it ja jv ko la mk mr ne nl no or pa pl pt ro ru sk so ' +
    'sq sr sv sw ta th tl tr uk ur vi zh'
  ).split(' '),
)

const parsers = new Map<string, Promise<Parser>>()

/**
 * The OSIS code of a book by a name or abbreviation in one of these languages (ISO 639-1), the first of them first, or in
 * English; null for an unknown book.
 */
export async function findBook(name: string, languages: readonly string[]): Promise<string | null> {
  for (const language of new Set([...languages, 'en'])) {
    const found = LANGUAGES.has(language) ? await findIn(language, name) : null
    if (found !== null) return found
  }
  return MORE.get(name.toLowerCase()) ?? null
}

async function findIn(language: string, name: string): Promise<string | null> {
  const known = parsers.get(language) ?? createParser(language)
  parsers.set(language, known)
  const parser = await known
  // The parser finds references within any text: it must have used all of it.
  const asked = `${name} 1`
  const [found, ...others] = parser.parse(asked).osis_and_indices()
  if (!found || others.length > 0 || found.indices[0] !== 0 || found.indices[1] !== asked.length) return null
  return /^(\w+)\./.exec(found.osis)?.[1] ?? null
}

async function createParser(language: string): Promise<Parser> {
  const fresh = new Parser(await import(`bible-passage-reference-parser/esm/lang/${language}.js`))
  fresh.include_apocrypha(true)
  fresh.set_options({ osis_compaction_strategy: 'bcv' })
  return fresh
}
