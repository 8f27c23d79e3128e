import { decodedPath } from '../http/text.ts'
import { playlistLines } from '../playlists/playlist-entries.ts'
import { parseHlsAttributes, type HlsAttributes } from './hls-attributes.ts'

/** Variables of `EXT-X-DEFINE` (RFC 8216bis, 4.4.2.3), by name. */
export type HlsVariables = Readonly<Record<string, string>>

/** A playlist uses what nothing defines. */
export class HlsVariableError extends Error {}

const VARIABLES_MAX = 100
const VALUE_MAX_CHARS = 4096
/** Maximum length of a line after substitution. */
const LINE_MAX_CHARS = 16_384
const DEFINE = '#EXT-X-DEFINE:'
/** Addresses, and the tags that hold some. What stands in others is never fetched. */
const WITH_VARIABLES = /^(?:#EXT-X-(?:KEY|MAP|MEDIA|STREAM-INF):|[^#])/

/** The variables of the playlist at `base`. @param imported those of the playlist that named it. */
export class HlsVariableTable {
  readonly #known = new Map<string, string>()
  readonly #base: URL
  readonly #imported: HlsVariables

  constructor(base: URL, imported: HlsVariables) {
    this.#base = base
    this.#imported = imported
  }

  get all(): HlsVariables {
    return Object.fromEntries(this.#known)
  }

  /** The lines of a playlist but its definitions, with the variables in place. @throws {HlsVariableError} */
  *lines(text: string): Generator<string> {
    for (const line of playlistLines(text)) {
      if (line.startsWith(DEFINE)) this.#define(parseHlsAttributes(line.slice(DEFINE.length)))
      else yield line.includes('{$') && WITH_VARIABLES.test(line) ? this.#expand(line) : line
    }
  }

  #define(about: HlsAttributes): void {
    const [name, value] = this.#definitionOf(about)
    if (this.#known.size === VARIABLES_MAX) throw new HlsVariableError(`defines more than ${VARIABLES_MAX} variables`)
    if (value === undefined) throw new HlsVariableError(`doesn't get the value of its variable ${name.slice(0, 60)}`)
    this.#known.set(name, value.slice(0, VALUE_MAX_CHARS))
  }

  #definitionOf(about: HlsAttributes): readonly [string, string | undefined] {
    const query = about.get('QUERYPARAM')
    if (query !== undefined) return [query, queryValue(this.#base, query)]
    const imported = about.get('IMPORT')
    if (imported === undefined) return [about.get('NAME') ?? '', about.get('VALUE')]
    return [imported, Object.hasOwn(this.#imported, imported) ? this.#imported[imported] : undefined]
  }

  #expand(line: string): string {
    let chars = line.length
    return line.replaceAll(/\{\$([\w-]+)\}/g, (_, name: string) => {
      const value = this.#known.get(name)
      if (value === undefined) throw new HlsVariableError(`doesn't define its variable ${name.slice(0, 60)}`)
      chars += value.length
      if (chars > LINE_MAX_CHARS) throw new HlsVariableError('has a line that is too long')
      return value
    })
  }
}

/** A plus sign stays one: tokens hold it. */
function queryValue(base: URL, name: string): string | undefined {
  const pairs = base.search.slice(1).split('&', 1000)
  const pair = pairs.find((one) => decodedPath(one.split('=', 1)[0] ?? '') === name)
  const value = decodedPath(pair?.slice(pair.indexOf('=') + 1) ?? '')
  return pair?.includes('=') && value !== '' ? value : undefined
}
