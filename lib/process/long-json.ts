import { LRUCache } from 'lru-cache'
import { slices } from './slices.ts'

/** Items that are written in one turn: a millisecond for tracks. */
const PIECE_ITEMS = 200

const MAX_KEPT_CHARS = 16 * 1024 * 1024
/** Texts of long lists, which are never changed in place: a queue that is read again and again is written once. */
const texts = new LRUCache<readonly unknown[], string>({
  maxSize: MAX_KEPT_CHARS,
  sizeCalculation: (text) => text.length,
})

/** Like `JSON.stringify` for plain data, but writes long lists in pieces and lets other work of this thread run in between. */
export async function stringifyInPieces(value: unknown): Promise<string> {
  if (Array.isArray(value)) return stringifyList(value)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return JSON.stringify(value)
  }
  const fields: string[] = []
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) fields.push(`${JSON.stringify(name)}:${await stringifyInPieces(field)}`)
  }
  return `{${fields.join(',')}}`
}

async function stringifyList(list: readonly unknown[]): Promise<string> {
  const known = texts.get(list)
  if (known !== undefined) return known
  const pieces: string[] = []
  if (list.length <= PIECE_ITEMS) {
    for (const item of list) pieces.push(await stringifyInPieces(item))
    return `[${pieces.join(',')}]`
  }
  for (let at = 0; at < list.length; at += PIECE_ITEMS) {
    await slices.next()
    pieces.push(JSON.stringify(list.slice(at, at + PIECE_ITEMS)).slice(1, -1))
  }
  const text = `[${pieces.join(',')}]`
  texts.set(list, text)
  return text
}
