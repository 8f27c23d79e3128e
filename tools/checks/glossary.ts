// Reads which words the glossary rejects, and finds them in the texts of the program and in the documents.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'
import { LANGUAGES, type Language } from './words-files.ts'

export const GLOSSARY = 'docs/glossary.md'

interface Rejected {
  readonly language: Language
  readonly word: string
  readonly instead: string
  readonly pattern: RegExp
}

/** The rows of the table under `Not these`: language, word, what to write. */
export function readRejected(): readonly Rejected[] {
  const [, table = ''] = readFileSync(join(root, GLOSSARY), 'utf8').split('\n## Not these\n')
  const rows = table.split('\n').filter((line) => line.startsWith('|'))
  const rejected = rows.slice(2).map((row) => {
    const [code = '', word = '', instead = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    const language = LANGUAGES.find((each) => each === code)
    if (!language || word === '' || instead === '') throw new Error(`${GLOSSARY}: this row is not complete: ${row}`)
    return { language, word, instead, pattern: patternOf(word, language) }
  })
  if (rejected.length === 0) throw new Error(`${GLOSSARY} rejects no word: is its table still there?`)
  return rejected
}

/** Japanese has no spaces; elsewhere a word ends where its letters end. */
function patternOf(word: string, language: Language): RegExp {
  const text = RegExp.escape(word)
  // linear: an escaped word between two looks of one character.
  return language === 'ja' ? new RegExp(text, 'u') : new RegExp(`(?<![\\p{L}-])${text}(?![\\p{L}-])`, 'iu')
}

/** Returns the violations of the glossary in a text, as sentences. */
export function rejectedIn(text: string, language: Language, rejected: readonly Rejected[]): readonly string[] {
  return rejected
    .filter((each) => each.language === language && each.pattern.test(text))
    .map(({ word, instead }) => `“${word}”: the glossary says “${instead}”.`)
}
