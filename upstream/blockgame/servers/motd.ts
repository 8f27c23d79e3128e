import { z } from 'zod'
import type { BlockServer } from '../schemas.ts'

export type Motd = NonNullable<BlockServer['motd']>

/** The game's own names for the letters after a section sign. */
const COLOURS: ReadonlyMap<string, string> = new Map([
  ['black', '0'],
  ['dark_blue', '1'],
  ['dark_green', '2'],
  ['dark_aqua', '3'],
  ['dark_red', '4'],
  ['dark_purple', '5'],
  ['gold', '6'],
  ['gray', '7'],
  ['dark_gray', '8'],
  ['blue', '9'],
  ['green', 'a'],
  ['aqua', 'b'],
  ['red', 'c'],
  ['light_purple', 'd'],
  ['yellow', 'e'],
  ['white', 'f'],
])
const STYLES = [
  ['obfuscated', 'k'],
  ['bold', 'l'],
  ['strikethrough', 'm'],
  ['underlined', 'n'],
  ['italic', 'o'],
] as const
const MAX_DEPTH = 16
const MAX_CHARS = 2000
const MAX_PARTS = 1000

const Component = z
  .object({
    text: z.string(),
    translate: z.string(),
    extra: z.array(z.unknown()),
    with: z.array(z.unknown()),
    color: z.string(),
    obfuscated: z.boolean(),
    bold: z.boolean(),
    strikethrough: z.boolean(),
    underlined: z.boolean(),
    italic: z.boolean(),
  })
  .partial()
type Component = z.output<typeof Component>

/** A server's description: a text with section signs, or components within components. */
export function readMotd(description: unknown): Motd {
  return motdOf(flatten(description, { depth: 0, left: { parts: MAX_PARTS } }))
}

export function motdOf(text: string): Motd {
  const raw = text.slice(0, MAX_CHARS)
  return { raw, clean: raw.replaceAll(/§[\s\S]?/g, '') }
}

interface Place {
  readonly depth: number
  /** How many parts more are read of the whole. */
  readonly left: { parts: number }
}

function flatten(part: unknown, { depth, left }: Place): string {
  if (depth > MAX_DEPTH || --left.parts < 0) return ''
  const within = (parts: readonly unknown[]) =>
    parts.slice(0, left.parts).map((each) => flatten(each, { depth: depth + 1, left }))
  if (typeof part === 'string') return part
  if (typeof part === 'number' || typeof part === 'boolean') return String(part)
  if (Array.isArray(part)) return within(part).join('')
  const component = Component.safeParse(part)
  if (!component.success) return ''
  const { text = '', translate = '', extra = [], with: values = [] } = component.data
  const own = text === '' ? translate.replaceAll('%s', '') : text
  return codesOf(component.data) + own + [...within(values), ...within(extra)].join('')
}

function codesOf(component: Component): string {
  const { color = '' } = component
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1]
  const letter = COLOURS.get(color)
  const colour = hex === undefined ? (letter === undefined ? '' : `§${letter}`) : `§x${hex.replaceAll(/./g, '§$&')}`
  return colour + STYLES.map(([style, code]) => (component[style] ? `§${code}` : '')).join('')
}
