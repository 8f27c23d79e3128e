// Reads the texts of the program from its source: words of people's languages, and descriptions of the API.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { listFiles, root } from './imports.ts'

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

export interface ProgramText {
  readonly file: string
  readonly line: number
  readonly language: Language
  readonly text: string
}

const WORDS_FILE = /(?:-text|(?:^|\/)(?:[\w-]+-)?words(?:-\w+)?)\.[jt]s$|\/words\/\w+\.ts$/
const LOCALES = /(?:^|\/)locales\/([a-z]{2}(?:-[A-Z]{2})?)\/[\w-]+\.json$/
const GAP = /\{\{[^{}]*\}\}/g
const DESCRIPTIONS = /^(?:api|bot\/player)\/.*\.ts$/
const DESCRIBING = new Set(['summary', 'description'])

/** Every text of the words files in its language, and the summaries and descriptions of routes and fields in English. */
export function readProgramTexts(): readonly ProgramText[] {
  return [...readLocales(), ...readSources()]
}

/** Returns the texts of `locales/<language>/<area>.json`, with X1, X2 … for their gaps. */
function readLocales(): readonly ProgramText[] {
  return listFiles('*locales/*.json').flatMap((file) => {
    const language = languageOf(LOCALES.exec(file)?.[1] ?? '')
    return language ? textsInJson(file, language) : []
  })
}

function readSources(): readonly ProgramText[] {
  return listFiles('*.ts', '*.js')
    .filter((file) => !/^(?:test|tools)\/|^packages\/(?!sandbox\/page\/)/.test(file))
    .flatMap((file) => {
      if (WORDS_FILE.test(file)) return textsIn(file, languageOf(basename(file, '.ts').replace(/^.*-/, '')))
      return DESCRIPTIONS.test(file) ? textsIn(file, null) : []
    })
}

function textsInJson(file: string, language: Language): readonly ProgramText[] {
  // JSON is an expression, so the parser gives each text its place.
  const source = `(${readFileSync(join(root, file), 'utf8')})`
  const found: ProgramText[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    const text = textOf(value)
    if (text !== null) found.push({ file, line: lineOf(source, value), language, text: withoutGaps(text) })
    else for (const [name, child] of Object.entries(value)) if (name !== 'key') visit(child)
  }
  visit(parseSync('locale.js', source).program.body)
  return found
}

function withoutGaps(text: string): string {
  let count = 0
  return text.replaceAll(GAP, () => `X${++count}`)
}

function lineOf(source: string, { start }: Node): number {
  return source.slice(0, start).split('\n').length
}

/** Types and imports hold no texts; what `as const` and `satisfies` stand behind does. */
export const TYPES = /^(?:TS(?!AsExpression|SatisfiesExpression)|Import)/

export interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

export function isWordsFile(file: string): boolean {
  return WORDS_FILE.test(file) || LOCALES.test(file)
}

/** @param given the language that the file's name says; in a file without words, texts count where they describe. */
function textsIn(file: string, given: Language | null): readonly ProgramText[] {
  const source = readFileSync(join(root, file), 'utf8')
  const isWords = isWordsFile(file)
  const found: ProgramText[] = []
  const visit = (value: unknown, language: Language | null): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, language)
      return
    }
    if (!isNode(value) || TYPES.test(value.type)) return
    if (value.type === 'ExportNamedDeclaration' || value.type === 'VariableDeclaration') {
      for (const child of Object.values(value)) visit(child, language)
      return
    }
    const text = textOf(value)
    if (text !== null) {
      const line = lineOf(source, value)
      if (language && /\p{L}/u.test(text)) found.push({ file, line, language, text })
      if (value.type !== 'TemplateLiteral') return
    }
    const inner = innerLanguage(value, isWords) ?? language
    for (const [name, child] of Object.entries(value)) {
      if (name !== 'key' || value.type !== 'Property') visit(child, inner)
    }
  }
  visit(parseSync(file, source).program.body, given)
  return found
}

/** The language that a property or a constant is of by its name. */
function innerLanguage(node: Node, isWords: boolean): Language | null {
  if (node.type === 'Property') {
    const name = nameOf(node['key'])
    return isWords ? languageOf(name) : DESCRIBING.has(name) ? 'en' : null
  }
  return node.type === 'VariableDeclarator' && isWords ? languageOf(nameOf(node['id'])) : null
}

function nameOf(key: unknown): string {
  const { name, value } = key as { readonly name?: string; readonly value?: unknown }
  return name ?? String(value)
}

function languageOf(name: string): Language | null {
  return LANGUAGES.find((language) => name.split('-')[0]?.toLowerCase() === language) ?? null
}

export function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type === 'BinaryExpression')
    return isNode(node['left']) && isNode(node['right']) ? joined(node['left'], node['right']) : null
  if (node.type !== 'TemplateLiteral') return null
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  return quasis.map(({ value }) => value.cooked).reduce((text, next, at) => `${text}X${at}${next}`)
}

/** A text that is written over several lines. */
function joined(left: Node, right: Node): string | null {
  const [first, second] = [textOf(left), textOf(right)]
  return first === null || second === null ? null : first + second
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
