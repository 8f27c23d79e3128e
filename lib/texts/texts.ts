import { existsSync, readFileSync } from 'node:fs'
import { createInstance, type TFunction } from 'i18next'
import type { English } from '../../locales/english.d.ts'
import { assetFile } from '../installation.ts'
import { LANGUAGES, type Language, type Localised } from './languages.ts'

/** The name of a file in the folder of each language. */
type Area = keyof English
interface Place {
  readonly path: string
  readonly t: TFunction
}

type Gaps = Readonly<Record<string, string | number>>
type Resource = string | readonly Resource[] | { readonly [key: string]: Resource }

const PLURAL = /_(?:zero|one|two|few|many|other)$/
const i18n = createInstance()
// Without a backend it is ready at once. The pages escape what they show.
void i18n.init({
  fallbackLng: 'en',
  load: 'currentOnly',
  resources: {},
  nsSeparator: false,
  initAsync: false,
  interpolation: { escapeValue: false },
})
const areas = new Map<Area, Localised<unknown>>()

/** The texts of an area in each language, read when first used. A language without a text has the English one. */
export function textsOf<A extends Area>(area: A): Localised<English[A]> {
  const known = areas.get(area)
  if (known) return known as Localised<English[A]>
  const made = lazily((language) => read(area, language))
  areas.set(area, made)
  return made as Localised<English[A]>
}

/** The same for one group of texts in an area. */
export function textOf<A extends Area, G extends keyof English[A]>(area: A, group: G): Localised<English[A][G]> {
  return lazily((language) => textsOf(area)[language][group])
}

/** The text of a name that may have none, or what else stands under it. */
export function entryOf<T>(texts: Readonly<Record<string, T>>, name: string | number): T | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}

/** Something in each language that is made when first used. */
export function lazily<T>(make: (language: Language) => T): Localised<T> {
  const all = {}
  for (const language of LANGUAGES) {
    const get = (): T => {
      const value = make(language)
      Object.defineProperty(all, language, { value, enumerable: true })
      return value
    }
    Object.defineProperty(all, language, { get, enumerable: true, configurable: true })
  }
  return all as Localised<T>
}

function read(area: Area, language: Language): unknown {
  const english = load(area, 'en')
  return shape(english, load(area, language), { path: '', t: i18n.getFixedT(language, area) })
}

function load(area: Area, language: Language): Resource {
  if (!i18n.hasResourceBundle(language, area)) {
    const file = assetFile('locales', language, `${area}.json`)
    const texts: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    i18n.addResourceBundle(language, area, texts)
  }
  return i18n.getResourceBundle(language, area) as Resource
}

/** Texts in the form of the English ones: a text with gaps or plural forms is a function of its gaps. */
function shape(english: Resource, own: Resource | undefined, at: Place): unknown {
  if (typeof english === 'string') {
    if (english.includes('{{')) return (gaps: Gaps) => at.t(at.path, gaps)
    return typeof own === 'string' ? own : english
  }
  const inside = (key: string | number): Place => ({ ...at, path: at.path === '' ? String(key) : `${at.path}.${key}` })
  const ownAt = (key: string | number) => (own as Readonly<Record<string, Resource>> | undefined)?.[key]
  if (Array.isArray(english)) return english.map((one: Resource, key) => shape(one, ownAt(key), inside(key)))
  const entries = Object.entries(english).map(([key, inner]): [string, unknown] => {
    if (!PLURAL.test(key)) return [key, shape(inner, ownAt(key), inside(key))]
    const name = key.replace(PLURAL, '')
    const { t, path } = inside(name)
    return [name, (gaps: Gaps) => t(path, gaps)]
  })
  return Object.fromEntries(entries)
}
