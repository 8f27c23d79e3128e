/** Differences between Discord's older versions and version 10, which the sandbox implements. */
type Values = Record<string, unknown>

/** Numbers before version 8, of as many bits as they had then, with the whole as text beside them. */
const BITS = ['permissions', 'allow', 'deny'] as const
const OLD_BITS = 0x7f_ff_ff_ffn
/** The types of overwrites before version 8; the newer type is the place in this list. */
const TYPES: readonly unknown[] = ['role', 'member']

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON as clients of a version read it. */
export function writeFor(version: number, value: unknown): string {
  return JSON.stringify(value, version < 8 ? (_key, part: unknown) => (isRecord(part) ? age(part) : part) : undefined)
}

/** JSON of version 10, as clients of another read it. */
export const rewriteFor = (version: number, json: string): string =>
  version < 8 ? writeFor(version, JSON.parse(json)) : json

function age(value: Values): Values {
  const old = { ...value }
  for (const name of BITS) {
    const bits = value[name]
    if (typeof bits !== 'string' || !/^\d{1,20}$/.test(bits)) continue
    old[`${name}_new`] = bits
    old[name] = Number(BigInt(bits) & OLD_BITS)
  }
  if ('allow' in value && typeof value['type'] === 'number') old['type'] = TYPES[value['type']]
  return old
}

/** A body of a client of a version, as version 10 has it. */
export function readFrom(version: number, body: unknown): unknown {
  if (version >= 10 || !isRecord(body)) return body
  const { embed, ...rest } = body
  const renewed = isRecord(embed) ? { ...rest, embeds: [embed] } : body
  return version < 8 ? renew(renewed) : renewed
}

/** Overwrites stand in bodies and in lists of them. */
function renew(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renew)
  if (!isRecord(value)) return value
  const isOverwrite = ('allow' in value || 'deny' in value) && TYPES.includes(value['type'])
  if (isOverwrite) return { ...value, type: TYPES.indexOf(value['type']) }
  const { permission_overwrites: overwrites } = value
  return overwrites === undefined ? value : { ...value, permission_overwrites: renew(overwrites) }
}
