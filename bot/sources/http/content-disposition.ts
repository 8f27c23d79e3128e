import { decodedPath, decodeText, endOfQuoted, headerText } from './text.ts'

/** Parts of one name, as RFC 2231 divides it. */
const PARTS_MAX = 50

/** The file name in a Content-Disposition header, read as Node.js gives it, byte by byte; empty if there is none. */
export function fileNameIn(header: string): string {
  const parameters = parametersOf(header)
  const extended = parameters.get('filename*')
  if (extended !== undefined) return extendedText(extended)
  const plain = parameters.get('filename')
  const divided = dividedName(parameters)
  return divided ?? plainText(plain ?? '')
}

/** Quoted or not; what is not quoted may hold spaces, as many servers send it. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let at = 0; ;) {
    const equals = header.indexOf('=', at)
    if (equals < 0) return found
    const name = header
      .slice(header.lastIndexOf(';', equals) + 1, equals)
      .trim()
      .toLowerCase()
    const { value, end } = valueAt(header, equals + 1)
    if (!found.has(name)) found.set(name, value)
    at = end
  }
}

function valueAt(header: string, from: number): { readonly value: string; readonly end: number } {
  const semicolon = header.indexOf(';', from)
  const bareEnd = semicolon < 0 ? header.length : semicolon
  const bare = header.slice(from, bareEnd).trim()
  if (!bare.startsWith('"')) return { value: bare, end: bareEnd }
  const start = header.indexOf('"', from) + 1
  const end = endOfQuoted(header, start)
  // Only these two are escaped: other backslashes are of paths.
  return { value: header.slice(start, end).replaceAll(/\\(["\\])/g, '$1'), end: end + 1 }
}

/** RFC 8187: a character set, a language and the name, with apostrophes between them. */
function extendedText(value: string): string {
  const [, charset = '', name = value] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  return decodedIn(charset, percentBytes(name))
}

/** RFC 2231: `filename*0="one, "; filename*1*=UTF-8''two`. */
function dividedName(parameters: ReadonlyMap<string, string>): string | null {
  let charset = ''
  const bytes: Buffer[] = []
  for (let at = 0; at < PARTS_MAX; at++) {
    const extended = parameters.get(`filename*${at}*`)
    const part = extended ?? parameters.get(`filename*${at}`)
    if (part === undefined) break
    const [, found, name] = (at === 0 && extended !== undefined && /^([^']*)'[^']*'(.*)$/s.exec(part)) || []
    charset = found ?? charset
    bytes.push(extended === undefined ? Buffer.from(part, 'latin1') : percentBytes(name ?? part))
  }
  return bytes.length === 0 ? null : decodedIn(charset, Buffer.concat(bytes))
}

/** Bytes as they are, percent-encoded as in an address, or encoded words of mail (RFC 2047). */
function plainText(value: string): string {
  const word = /=\?([\w-]{1,40})(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi
  if (!value.includes('=?')) return decodedPath(headerText(value))
  // Two words are one text: the space between them is no part of it.
  return value.replaceAll(/\?=\s+=\?/g, '?==?').replaceAll(word, (_, charset: string, kind: string, text: string) => {
    if (kind.toLowerCase() === 'b') return decodedIn(charset, Buffer.from(text, 'base64'))
    return decodedIn(charset, percentBytes(text.replaceAll('_', ' ').replaceAll('=', '%')))
  })
}

function percentBytes(text: string): Buffer {
  const bytes = text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

function decodedIn(charset: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(charset.trim().toLowerCase(), { fatal: true }).decode(bytes)
  } catch {
    return decodeText(bytes)
  }
}
