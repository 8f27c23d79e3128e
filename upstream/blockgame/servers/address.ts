import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

export interface ServerAddress {
  /** Host as it is dialled: punycode, without brackets or a dot at the end. */
  readonly host: string
  /** Null: as the name's SRV record says, or the game's own. */
  readonly port: number | null
}

/** `play.example.org`, `play.example.org:25566`, `[2001:db8::1]:25565`; null if it is no address. */
export function readAddress(text: string): ServerAddress | null {
  const given = text.trim()
  if (isIP(given) === 6) return { host: given, port: null }
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]|([^\s:[\]/?#@\\]+))(?::(\d{1,5}))?$/.exec(given) ?? []
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : null
  const host = domainToASCII(name ?? '').replace(/\.$/, '')
  const isName = host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_][a-z0-9_-]{0,62}$/.test(label))
  return isName ? { host, port } : null
}
