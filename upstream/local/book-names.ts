import { bcv_parser as Parser } from 'bible-passage-reference-parser/esm/bcv_parser.js'
import * as english from 'bible-passage-reference-parser/esm/lang/en.js'

/** Names that the parser does not know. */
const MORE: ReadonlyMap<string, string> = new Map([
  ['canticles', 'Song'],
  ['canticle of canticles', 'Song'],
  ['apocalypse', 'Rev'],
  ['the apocalypse', 'Rev'],
])

let parser: Parser | null = null

/** The OSIS code of a book by an English name or abbreviation; null where there is no such book. */
export function findBook(name: string): string | null {
  const known = MORE.get(name.toLowerCase())
  if (known) return known
  parser ??= createParser()
  // The parser finds references within any text: it must have used all of it.
  const asked = `${name} 1`
  const [found, ...others] = parser.parse(asked).osis_and_indices()
  if (!found || others.length > 0 || found.indices[0] !== 0 || found.indices[1] !== asked.length) return null
  return /^(\w+)\./.exec(found.osis)?.[1] ?? null
}

function createParser(): Parser {
  const fresh = new Parser(english)
  fresh.include_apocrypha(true)
  fresh.set_options({ osis_compaction_strategy: 'bcv' })
  return fresh
}
