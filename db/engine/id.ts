import { randomBytes } from 'node:crypto'

/** A new id that shows what it names: `prj_` and 20 hex digits. */
export function createId(kind: 'prj' | 'key' | 'pol' | 'usr' | 'ses' | 'lnk' | 'whk' | 'msg'): string {
  return `${kind}_${randomBytes(10).toString('hex')}`
}
