// Lints the documents, the English words of the program and the descriptions of the API.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { TextlintKernel, type TextlintKernelPlugin, type TextlintKernelRule } from '@textlint/kernel'
import { GLOSSARY, readRejected, rejectedIn } from './glossary.ts'
import { listFiles, root } from './imports.ts'
import { readProgramTexts } from './words-files.ts'
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

/** In characters. A longer sentence holds two thoughts. */
const MAX_SENTENCE = { document: 300, words: 170 }
/** Passive voice is right where the actor does not matter, and too much of it tires. */
const MAX_PASSIVE_SHARE = 0.33
const MIN_SENTENCES = 30
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
  const only = { weasel: false, illusion: false, tooWordy: false, cliches: false, passive: true }
  const found = await lint(file, text, [{ ruleId: 'passive', rule: writeGood, options: { ...GOOD, ...only } }])
  const share = found.length / sentences
  if (share <= MAX_PASSIVE_SHARE) return []
  const percent = Math.round(share * 100)
  return [{ file, line: 1, message: `${percent} % of the sentences are passive: say who does it.` }, ...found]
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

const rejected = readRejected()
const documents = listFiles('*.md')
const findings = (await Promise.all(documents.map(lintDocument))).flat()
// Names of commands and options are one word in lower case, by Discord's rules.
const texts = readProgramTexts().filter(({ text }) => /\s|^\P{Ll}/u.test(text))
for (const { file, line, language, text } of texts) {
  for (const message of rejectedIn(text, language, rejected)) findings.push({ file, line, message })
}
const english = texts.filter(({ language }) => language === 'en')
for (const [file, own] of Map.groupBy(english, (text) => text.file)) {
  // A paragraph for each, two lines apart, so that the line of a finding tells which text it is in.
  const paragraphs = own.map(({ text }) => joinLines(text)).join('\n\n')
  for (const found of await lint(file, paragraphs, rules(MAX_SENTENCE.words))) {
    findings.push({ ...found, line: own[Math.floor((found.line - 1) / 2)]?.line ?? found.line })
  }
}
for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`)
console.log(`${documents.length} documents and ${texts.length} texts, ${findings.length} findings.`)
process.exit(findings.length > 0 ? 1 : 0)

/** What a CommonJS module exports, with or without `default`. */
function unwrap(loaded: unknown): unknown {
  return (loaded as { readonly default?: unknown }).default ?? loaded
}
