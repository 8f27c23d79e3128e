export type HlsAttributes = ReadonlyMap<string, string>

/** Reads an attribute list (RFC 8216, 4.2), such as `NAME=value,OTHER="with, comma"`, in one pass. */
export function parseHlsAttributes(list: string): HlsAttributes {
  const found = new Map<string, string>()
  let at = 0
  for (;;) {
    const equals = list.indexOf('=', at)
    if (equals < 0) return found
    const name = list.slice(at, equals).trim()
    const isQuoted = list[equals + 1] === '"'
    const from = equals + (isQuoted ? 2 : 1)
    const end = list.indexOf(isQuoted ? '"' : ',', from)
    found.set(name, list.slice(from, end < 0 ? undefined : end))
    const comma = end < 0 ? -1 : list.indexOf(',', end)
    if (comma < 0) return found
    at = comma + 1
  }
}

/** A tag line's name and value: `#EXTINF:4,` is `EXTINF` and `4,`. Null for an address or a comment. */
export function parseHlsTag(line: string): { readonly tag: string; readonly value: string } | null {
  if (!line.startsWith('#EXT')) return null
  const colon = line.indexOf(':')
  return colon < 0 ? { tag: line.slice(1), value: '' } : { tag: line.slice(1, colon), value: line.slice(colon + 1) }
}

const URL_MAX_CHARS = 2048

/** The absolute address of a URI in a playlist found at `base`; null unless it is a web address of a sane length. */
export function resolveHlsUri(uri: string, base: URL): string | null {
  const url = uri === '' ? null : URL.parse(uri, base.href)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && url.href.length <= URL_MAX_CHARS ? url.href : null
}
