import { Fault } from '../../lib/errors.ts'
import { CANADIAN_PROVINCES, US_STATES } from './regions.ts'

/** A city as a caller names it, taken apart. */
export interface CityName {
  readonly name: string
  /** ISO 3166-1 alpha-2, when what follows the comma is a country. */
  readonly country: string | null
  /** A state or province, as it was written. */
  readonly region: string | null
  /** Ignores case and spacing; differs by country. */
  readonly key: string
}

/** Location of a place according to a geocoder. */
export interface Whereabouts {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null
  /** Names of what it is part of: states, provinces, districts. */
  readonly regions: readonly string[]
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

/** Names of countries that people use besides the official ones. */
const MORE_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['usa', 'US'],
  ['united states of america', 'US'],
  ['america', 'US'],
  ['great britain', 'GB'],
  ['holland', 'NL'],
  ['czech republic', 'CZ'],
  ['turkey', 'TR'],
  ['burma', 'MM'],
  ['ivory coast', 'CI'],
  ['south korea', 'KR'],
  ['north korea', 'KP'],
])

/**
 * Reads `Paris`, `Paris,FR`, `Paris, France`, `London,ON,CA`, `Washington, D.C.`.
 * Two letters that are both a country and a US state (`Portland,ME`) give both readings, the country first.
 * @throws {Fault} `bad_request` when there is no city in it.
 */
export function readCity(text: string): readonly CityName[] {
  const clean = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(clean)) throw badCity('Must not contain control characters.')
  const [name = '', ...rest] = clean.split(',').map((part) => part.trim())
  if (name === '') throw badCity('Must be a city, optionally with a country code: `Paris,FR`.')
  const qualifiers = rest.filter((part) => part !== '')
  if (qualifiers.length > 2)
    throw badCity('Must be a city, optionally with a region and a country code: `London,ON,CA`.')
  const last = qualifiers.at(-1)
  if (last === undefined) return [cityName(name, null, null)]
  const country = countryOf(last)
  if (qualifiers.length === 2) {
    if (!country) throw badCity(`${last} isn't a country. Use a code of two letters, as in \`London,ON,CA\`.`)
    return [cityName(name, country, qualifiers[0] ?? null)]
  }
  const asCountry = country ? [cityName(name, country, null)] : []
  const state = last.replaceAll('.', '').toUpperCase()
  if (US_STATES.has(state)) return [...asCountry, cityName(name, 'US', state)]
  return country ? asCountry : [cityName(name, null, last)]
}

/** Whether a place that a geocoder found lies where the caller said. */
export function liesIn({ country, region }: CityName, place: Whereabouts): boolean {
  if (country !== null && place.country !== country) return false
  if (region === null) return true
  const wanted = fold(region)
  const spelledOut = country === null ? undefined : REGION_CODES.get(country)?.get(region.toUpperCase())
  return place.regions.some((name) => {
    const folded = fold(name)
    return [folded, initials(folded), folded.split(' ').at(-1)].includes(wanted) || folded === fold(spelledOut ?? '')
  })
}

const REGION_CODES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['US', US_STATES],
  ['CA', CANADIAN_PROVINCES],
])

function cityName(name: string, country: string | null, region: string | null): CityName {
  return { name, country, region, key: [name, region ?? '', country ?? ''].join('|').toLowerCase() }
}

/** The code of a country that is written as a code or as an English name. */
function countryOf(text: string): string | null {
  const code = text.toUpperCase()
  if (/^[A-Z]{2}$/.test(code)) {
    const real = ALIASES.get(code) ?? code
    return countryCodes().has(real) ? real : null
  }
  return MORE_COUNTRIES.get(text.toLowerCase()) ?? countryNames().get(fold(text)) ?? null
}

let namesByCode: ReadonlyMap<string, string> | null = null
let codesByName: ReadonlyMap<string, string> | null = null

/** Every country of ISO 3166-1 with its English name, as the language data of Node has them. */
function countryCodes(): ReadonlyMap<string, string> {
  if (namesByCode) return namesByCode
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at))
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  // Some codes are customary, withdrawn or no country at all; the canonical form of such a region is another one.
  const current = codes.filter((code) => new Intl.Locale(`und-${code}`).region === code && !NO_COUNTRIES.has(code))
  namesByCode = new Map(current.flatMap((code) => [[code, names.of(code)] as const].filter(hasName)))
  return namesByCode
}

const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ', 'AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'])

function hasName(entry: readonly [string, string | undefined]): entry is readonly [string, string] {
  return entry[1] !== undefined
}

function countryNames(): ReadonlyMap<string, string> {
  codesByName ??= new Map([...countryCodes()].map(([code, name]) => [fold(name), code]))
  return codesByName
}

/** Without case, accents, dots and spaces, so that `D.C.` is `dc` and `Île-de-France` is `iledefrance`. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, '')
}

/** `New South Wales` is also NSW, and `Washington, D.C.` is also DC by its last word. */
function initials(folded: string): string {
  return folded
    .split(' ')
    .map((word) => word.slice(0, 1))
    .join('')
}

function badCity(message: string): Fault {
  return new Fault('bad_request', message, { reason: 'invalid_city' })
}
