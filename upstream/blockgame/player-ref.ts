/** One way to understand what a caller calls a player. */
export type PlayerRef =
  | { readonly kind: 'uuid'; readonly uuid: string }
  | { readonly kind: 'xuid'; readonly xuid: string }
  | { readonly kind: 'gamertag'; readonly gamertag: string }
  | { readonly kind: 'name'; readonly name: string }

/**
 * Returns the possible meanings of a text, the likeliest first; empty if it can be no player.
 * Digits alone are a name as well as an Xbox account, and both have up to sixteen.
 */
export function readPlayer(text: string): readonly PlayerRef[] {
  const given = text.trim()
  const hex = given.replaceAll(/[{}-]/g, '').toLowerCase()
  if (/^[0-9a-f]{32}$/.test(hex)) return [fromUuid(hex)]
  if (/^\d{15,20}$/.test(given)) {
    const xuid: PlayerRef = { kind: 'xuid', xuid: given }
    const name: PlayerRef = { kind: 'name', name: given }
    if (given.length > 16) return [xuid]
    return given.length === 16 && given.startsWith('25') ? [xuid, name] : [name, xuid]
  }
  if (/^\w{1,16}$/.test(given)) return [{ kind: 'name', name: given }]
  // Servers that Bedrock players join write a dot before their names; `#1234` tells equal gamertags apart.
  const gamertag = given.replace(/^\./, '')
  const isGamertag = given !== gamertag || /[ #]/.test(given)
  if (isGamertag && /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ]{0,15}(?:#\d{1,5})?$/u.test(gamertag)) {
    return [{ kind: 'gamertag', gamertag }]
  }
  return []
}

/** `00000000-0000-0000-` and the account's number: how Floodgate makes up the id of a Bedrock player. */
function fromUuid(hex: string): PlayerRef {
  if (!hex.startsWith('0'.repeat(16))) return { kind: 'uuid', uuid: hex }
  return { kind: 'xuid', xuid: BigInt(`0x${hex.slice(16)}`).toString() }
}

export function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function floodgateId(xuid: string): string {
  return dashed(BigInt(xuid).toString(16).padStart(32, '0'))
}

/** The figure a Java player without a skin of their own wears: the lowest bit of Java's hash of the id decides. */
export function defaultSkin(hex: string): 'steve' | 'alex' {
  const bit = (at: number) => Number.parseInt(hex.charAt(at), 16) & 1
  return (bit(7) ^ bit(15) ^ bit(23) ^ bit(31)) === 1 ? 'alex' : 'steve'
}
