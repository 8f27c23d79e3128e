// Finds the forms of `plain-words.ts` in texts, settings and documents.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'
import { contractedShare, rejectedForms } from './plain-words.ts'
import { isWordsFile, type ProgramText } from './words-files.ts'

interface Finding {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** Messages of Discord, Lavalink and PostgreSQL, in their own words. */
const VERBATIM =
  /^packages\/sandbox\/(?:rest\/|gateway\/|oauth|faults\/answers|world\/(?:errors|images|message\/))|^api\/lavalink\/(?:http\/(?:track-routes|router)|players\/player-intent|tracks\/track-exception)|^db\/engine\/postgres\/connections/
const SETTINGS = '.env.example'
/** At least this share of a document's negations are contracted, so that it reads as if spoken. */
const LEAST_CONTRACTED = 0.5

/** Prints how many were found where. @returns all findings */
export function lintPlainWords(english: readonly ProgramText[], documents: readonly string[]): readonly Finding[] {
  const texts = english.filter(({ file }) => !VERBATIM.test(file))
  const found: Readonly<Record<string, readonly Finding[]>> = {
    messages: [...inTexts(texts.filter(({ file }) => !isWordsFile(file))), ...inParagraphs(SETTINGS)],
    locales: inTexts(texts.filter(({ file }) => isWordsFile(file))),
    documents: documents.flatMap((file) => [...inParagraphs(file), ...uncontracted(file)]),
  }
  const counts = Object.entries(found).map(([room, { length }]) => `${room} ${length}`)
  console.log(`Plain words: ${counts.join(', ')}.`)
  return Object.values(found).flat()
}

function inTexts(texts: readonly ProgramText[]): readonly Finding[] {
  return texts.flatMap(({ file, line, text }) => toFindings(file, line, rejectedForms(text, 'text')))
}

function inParagraphs(file: string): readonly Finding[] {
  return paragraphsOf(file).flatMap(({ line, text }) => toFindings(file, line, rejectedForms(text, 'document')))
}

function toFindings(file: string, line: number, messages: readonly string[]): readonly Finding[] {
  return messages.map((message) => ({ file, line, message }))
}

function uncontracted(file: string): readonly Finding[] {
  const share = contractedShare(withoutCode(readFileSync(join(root, file), 'utf8')))
  if (share >= LEAST_CONTRACTED) return []
  return toFindings(file, 1, [`${Math.round(share * 100)}% of the negations are contracted: write can't, isn't.`])
}

/** Lines between blank ones, joined; rows of tables, items of lists and headings alone. */
function paragraphsOf(file: string): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = []
  let isOpen = false
  for (const [at, raw] of withoutCode(readFileSync(join(root, file), 'utf8'))
    .split('\n')
    .entries()) {
    const text = file === SETTINGS ? raw.replace(/^# ?/, '') : raw.trim()
    const isAlone = /^(?:[|#-]|\d+\.)/.test(text) || (file === SETTINGS && !raw.startsWith('# '))
    const last = found.at(-1)
    if (isOpen && !isAlone && text !== '' && last) last.text += ` ${text}`
    else if (text !== '' && !(file === SETTINGS && isAlone)) found.push({ line: at + 1, text })
    isOpen = text !== '' && !(file === SETTINGS && isAlone)
  }
  return found
}

/** Code keeps its lines, empty. */
function withoutCode(text: string): string {
  return text.replaceAll(/```.*?```/gs, (code) => code.replaceAll(/[^\n]/g, '')).replaceAll(/`[^`\n]*`/g, 'X1')
}
