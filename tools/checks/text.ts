// Lints the documents, the English words of the program and the descriptions of the API.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { TextlintKernel, type TextlintKernelPlugin, type TextlintKernelRule } from '@textlint/kernel'
import { GLOSSARY, readRejected, rejectedIn } from './glossary.ts'
import { listFiles, root, topOf } from './imports.ts'
import { readMessageTexts } from './message-texts.ts'
import { lintPlainWords } from './plain-texts.ts'
import { readProgramTexts, type ProgramText } from './words-files.ts'
import { joinLines } from '../../lib/text.ts'

type Rule = TextlintKernelRule['rule']

const require = createRequire(import.meta.url)
const markdown = unwrap(require('@textlint/textlint-plugin-markdown')) as TextlintKernelPlugin['plugin']
const writeGood = unwrap(require('textlint-rule-write-good')) as Rule
const terminology = unwrap(require('textlint-rule-terminology')) as Rule
const sentenceLength = unwrap(require('textlint-rule-sentence-length')) as Rule

interface Finding {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** Limits in characters. A longer sentence holds two thoughts. */
const MAX_SENTENCE = { document: 220, words: 160 }
/** Passive voice is right where the actor does not matter, and too much of it tires. */
const MAX_PASSIVE_SHARE = { document: 0.22, words: 0.1 }
const MIN_SENTENCES = 30
const MAX_LOG_CHARS = 80
/** Fine English in technical prose. */
const ALLOWED: ReadonlySet<string> = new Set([
  'it is',
  'aggregate',
  'it was',
  'all of',
  'in between',
  'only',
  'several',
  'many',
  'few',
  'mostly',
  'validate',
  'multiple',
  'maximum',
  'minimum',
  'however',
  'therefore',
])
/** Terms of the rule's list that are right here: `API's` is a genitive, and a website is not only a site. */
const OWN_TERMS = ["API['’]?s", 'web[- ]?site(s)?', 'VS ?Code']

const GOOD = { adverb: false, so: false, thereIs: false, eprime: false }
const PLUGINS = [{ pluginId: 'markdown', plugin: markdown }]
const kernel = new TextlintKernel()

const ONLY_PASSIVE = { weasel: false, illusion: false, tooWordy: false, cliches: false, passive: true }
const passiveRules: TextlintKernelRule[] = [
  { ruleId: 'passive', rule: writeGood, options: { ...GOOD, ...ONLY_PASSIVE } },
]

function rules(maxSentence: number): TextlintKernelRule[] {
  return [
    { ruleId: 'write-good', rule: writeGood, options: { ...GOOD, passive: false } },
    { ruleId: 'terminology', rule: terminology, options: { exclude: OWN_TERMS } },
    { ruleId: 'sentence-length', rule: sentenceLength, options: { max: maxSentence } },
  ]
}

async function lint(file: string, text: string, use: TextlintKernelRule[]): Promise<readonly Finding[]> {
  const filePath = join(root, file)
  const { messages } = await kernel.lintText(text, { ext: '.md', filePath, plugins: PLUGINS, rules: use })
  const found = messages.map(({ line, message }) => ({ file, line, message: message.split('\n')[0] ?? message }))
  return found.filter(({ message }) => !ALLOWED.has(/^"([^"]+)"/.exec(message)?.[1]?.toLowerCase() ?? ''))
}

/** One finding where a document other than the changelog, which is about what was done, says too often what is done instead of who does it. */
async function lintPassive(file: string, text: string): Promise<readonly Finding[]> {
  const sentences = text.replaceAll(/```.*?```/gs, '').match(/[.!?](?=\s|$)/g)?.length ?? 0
  if (sentences < MIN_SENTENCES || file === 'CHANGELOG.md') return []
  const found = await lint(file, text, passiveRules)
  const share = found.length / sentences
  if (share <= MAX_PASSIVE_SHARE.document) return []
  return [{ file, line: 1, message: `${percent(share)} of the sentences are passive: say who does it.` }, ...found]
}

async function lintDocument(file: string): Promise<readonly Finding[]> {
  const text = readFileSync(join(root, file), 'utf8')
  const found = [...(await lint(file, text, rules(MAX_SENTENCE.document))), ...(await lintPassive(file, text))]
  return file === GLOSSARY ? found : [...found, ...lintTerms(file, text)]
}

function lintTerms(file: string, text: string): readonly Finding[] {
  return text
    .split('\n')
    .flatMap((line, at) => rejectedIn(line, 'en', rejected).map((message) => ({ file, line: at + 1, message })))
}

/** Checks a log message: operators grep for it, so no capitals, no period and no second sentence. */
function lintLog({ file, line, text }: ProgramText): readonly Finding[] {
  // A name of a product, a setting or a thread keeps its capitals.
  const isLower = /^(?:\p{Ll}|X\d|[A-Z][\w]*[A-Z_]|Chromium )/u.test(text)
  const isShort = text.length <= MAX_LOG_CHARS && !/[.!?…]$/.test(text)
  return isLower && isShort
    ? []
    : [{ file, line, message: `“${text}”: start a log message in lower case, without a period.` }]
}

/** Texts of one file or folder, in an order of their own, with the line of each finding. */
async function lintTexts(own: readonly ProgramText[], use: Parameters<typeof lint>[2]): Promise<readonly Finding[]> {
  const file = own[0]?.file ?? ''
  // A paragraph for each, two lines apart, so that the line of a finding tells which text it is in.
  const found = await lint(file, own.map(({ text }) => joinLines(text)).join('\n\n'), use)
  return found.map(({ line, message }) => {
    const text = own[Math.floor((line - 1) / 2)]
    return { file: text?.file ?? file, line: text?.line ?? line, message }
  })
}

/** One finding where the messages of a folder say too often what is done instead of who does it. */
async function lintPassiveTexts(folder: string, own: readonly ProgramText[]): Promise<readonly Finding[]> {
  if (own.length < MIN_SENTENCES) return []
  const found = await lintTexts(own, passiveRules)
  const share = found.length / own.length
  if (share <= MAX_PASSIVE_SHARE.words) return []
  const message = `${percent(share)} of the texts are passive (limit ${percent(MAX_PASSIVE_SHARE.words)}): say who does it.`
  return [{ file: folder, line: 1, message }, ...found]
}

const rejected = readRejected()
const documents = listFiles('*.md')
const findings = (await Promise.all(documents.map(lintDocument))).flat()
const [logs, messages] = partition(readMessageTexts(), ({ kind }) => kind === 'log')
// Names of commands and options are one word in lower case, by Discord's rules.
const words = readProgramTexts().filter(({ text }) => /\s|^\P{Ll}/u.test(text))
const described = new Set(words.map(keyOf))
const texts = [...words, ...messages.filter((text) => !described.has(keyOf(text)))]
for (const { file, line, language, text } of [...texts, ...logs]) {
  for (const message of rejectedIn(text, language, rejected)) findings.push({ file, line, message })
}
findings.push(...logs.flatMap(lintLog))
const english = texts.filter(({ language }) => language === 'en')
for (const own of Map.groupBy(english, ({ file }) => file).values()) {
  findings.push(...(await lintTexts(own, rules(MAX_SENTENCE.words))))
}
for (const [folder, own] of Map.groupBy(english, ({ file }) => topOf(file))) {
  findings.push(...(await lintPassiveTexts(folder, own)))
}
findings.push(...lintPlainWords(english, documents))
for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`)
console.log(
  `${documents.length} documents, ${texts.length} texts and ${logs.length} log messages, ${findings.length} findings.`,
)
process.exit(findings.length > 0 ? 1 : 0)

function keyOf({ file, text }: ProgramText): string {
  return `${file} ${text}`
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}

/** Returns the exports of a CommonJS module, with or without `default`. */
function unwrap(loaded: unknown): unknown {
  return (loaded as { readonly default?: unknown }).default ?? loaded
}
