// Checks the texts of each language against the English ones, and writes the types of those of the bot and the dashboard.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './imports.ts'

type Resource = string | readonly Resource[] | { readonly [key: string]: Resource }
/** Texts by path; the forms of a plural share one. */
type Flat = ReadonlyMap<string, readonly Form[]>

interface Form {
  readonly category: string | null
  readonly text: string
}

const OWN = 'locales'
/** An area that a language of the dashboard has. */
const PAGES = 'dashboard-common'
const FOLDERS = [OWN, 'packages/sandbox/locales']
const PLURAL = /^(.*)_(zero|one|two|few|many|other)$/
const GAP = /\{\{(\w+)(?:,[^{}]*)?\}\}/g
/** Counts that have the form `many` in Polish, Russian or Arabic. Elsewhere millions and fractions have it. */
const COUNTS = [5, 11]
/** Forms that a language may have beyond its own: i18next takes `zero` in all of them. */
const EXTRA = 'zero'
/** Spaces at which a line could end although the language joins the sign to its word. */
const BREAKING: Readonly<Record<string, RegExp>> = {
  fr: / [:;!?%»]|« /,
  'es-ES': / %/,
  'pt-BR': /\s%/,
  ja: /\s%/,
}

// Folders that are named are checked only.
const given = process.argv.slice(2)
const findings = (given.length > 0 ? given : FOLDERS).flatMap(checkFolder)
if (given.length === 0) writeFileSync(join(root, OWN, 'english.d.ts'), writeTypes())
for (const finding of findings) console.error(finding)
process.exitCode = findings.length > 0 ? 1 : 0

function checkFolder(folder: string): string[] {
  return languagesIn(folder).flatMap((language) => checkLanguage(folder, language))
}

function languagesIn(folder: string): readonly string[] {
  return readdirSync(resolve(root, folder)).filter((name) => !name.includes('.'))
}

function unionOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' | ')
}

function checkLanguage(folder: string, language: string): string[] {
  const areas = areasOf(folder, 'en')
  const own = areasOf(folder, language)
  return [
    ...own
      .filter((area) => !areas.includes(area))
      .map((area) => `${folder}/${language}/${area}.json: English has no such file.`),
    ...areas.filter((area) => own.includes(area)).flatMap((area) => checkArea(folder, language, area)),
  ]
}

/** A language has an area whole or not at all: then it is shown in English. */
function checkArea(folder: string, language: string, area: string): string[] {
  const english = flatten(readArea(folder, 'en', area))
  const own = flatten(readArea(folder, language, area))
  const at = (path: string) => `${folder}/${language}/${area}.json: "${path}"`
  const missing = [...english.keys()].filter((path) => !own.has(path)).map((path) => `${at(path)} is missing.`)
  const extra = [...own.keys()].filter((path) => !english.has(path)).map((path) => `${at(path)} is not in English.`)
  const wrong = [...own].flatMap(([path, forms]) =>
    checkForms(language, forms, gapsOf(english.get(path) ?? [])).map((fault) => `${at(path)} ${fault}`),
  )
  return [...missing, ...extra, ...wrong]
}

function checkForms(language: string, forms: readonly Form[], english: ReadonlySet<string>): string[] {
  const strange = [...gapsOf(forms)].filter((gap) => !english.has(gap)).map((gap) => `has a gap {{${gap}}} of its own.`)
  const missing = [...english]
    .filter((gap) => !gapsOf(forms).has(gap))
    .map((gap) => `lacks the gap {{${gap}}} of the English text.`)
  const breaking = forms.some(({ text }) => BREAKING[language]?.test(text))
    ? ['has a plain space where a no-break one or none belongs.']
    : []
  const rules = new Intl.PluralRules(language)
  const needed = rules.resolvedOptions().pluralCategories
  const hasMany = COUNTS.some((count) => rules.select(count) === 'many')
  const given = forms.flatMap(({ category }) => category ?? [])
  if (given.length === 0) return [...strange, ...missing, ...breaking]
  const lacking = needed
    .filter((one) => !given.includes(one) && (one !== 'many' || hasMany))
    .map((one) => `lacks the form "_${one}".`)
  const unused = given
    .filter((one) => one !== EXTRA && !needed.some((needs) => needs === one))
    .map((one) => `has a form "_${one}" that the language does not use.`)
  return [...strange, ...missing, ...breaking, ...lacking, ...unused]
}

function areasOf(folder: string, language: string): string[] {
  return readdirSync(resolve(root, folder, language)).map((file) => file.replace('.json', ''))
}

function readArea(folder: string, language: string, area: string): Resource {
  return JSON.parse(readFileSync(resolve(root, folder, language, `${area}.json`), 'utf8')) as Resource
}

function flatten(texts: Resource, path = '', flat = new Map<string, Form[]>()): Flat {
  if (typeof texts === 'string') {
    const [, name = path, category = null] = PLURAL.exec(path) ?? []
    flat.set(name, [...(flat.get(name) ?? []), { category, text: texts }])
    return flat
  }
  for (const [key, inner] of Object.entries(texts)) flatten(inner, path === '' ? key : `${path}.${key}`, flat)
  return flat
}

function gapsOf(forms: readonly Form[]): ReadonlySet<string> {
  return new Set(forms.flatMap(({ text }) => [...text.matchAll(GAP)].map(([, name]) => name ?? '')))
}

function writeTypes(): string {
  const inner = areasOf(OWN, 'en').map(
    (area) => `  readonly ${JSON.stringify(area)}: ${typeOf(readArea(OWN, 'en', area))}\n`,
  )
  const languages = languagesIn(OWN)
  const ofPages = languages.filter((language) => areasOf(OWN, language).includes(PAGES))
  return `// Generated from locales/.
type Gap = string | number

/** Languages with a folder. */
export type Language = ${unionOf(languages)}
/** Languages with texts of the dashboard. */
export type PageLanguage = ${unionOf(ofPages)}

/** The texts of each area. A text with gaps is a function of them. */
export interface English {
${inner.join('')}}
`
}

function typeOf(texts: Resource): string {
  if (typeof texts === 'string') return typeOfForms([{ category: null, text: texts }])
  if (Array.isArray(texts)) return `readonly [${texts.map(typeOf).join(', ')}]`
  const names = new Map<string, string>()
  for (const [key, inner] of Object.entries(texts)) {
    const [, name] = PLURAL.exec(key) ?? []
    if (name === undefined) names.set(key, typeOf(inner))
    else names.set(name, typeOfForms(formsOf(texts, name)))
  }
  return `{ ${[...names].map(([name, type]) => `readonly ${JSON.stringify(name)}: ${type}`).join('; ')} }`
}

function formsOf(texts: object, name: string): Form[] {
  return Object.entries(texts).flatMap(([key, text]: [string, string]) => {
    const [, of, category = null] = PLURAL.exec(key) ?? []
    return of === name ? [{ category, text }] : []
  })
}

function typeOfForms(forms: readonly Form[]): string {
  const gaps = gapsOf(forms)
  const isPlural = forms.some(({ category }) => category !== null)
  if (gaps.size === 0 && !isPlural) return 'string'
  const names = isPlural ? new Set(['count', ...gaps]) : gaps
  const fields = [...names].map((name) => `readonly ${name}: ${isPlural && name === 'count' ? 'number' : 'Gap'}`)
  return `(gaps: { ${fields.join('; ')} }) => string`
}
