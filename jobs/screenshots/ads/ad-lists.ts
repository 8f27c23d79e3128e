import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBounded } from '../../../lib/buffers.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { BUILT_IN_LIST } from './built-in-list.ts'

/** The texts of all lists, one after the other; with the built-in one alone if none could be had. */
export type AdLists = ReturnType<typeof createAdLists>

interface AdListOptions {
  /** URLs of lists in the syntax of Adblock Plus. */
  readonly urls: readonly string[]
  /** Folder of fetched lists. */
  readonly folder: string
  readonly egress: Pick<Egress, 'open'>
  readonly log: Logger
  readonly now?: () => number
}

/** EasyList asks to be fetched no more often than it changes, every four days. */
const FRESH_MS = 4 * 24 * 60 * 60_000
const FETCH_MS = 10_000
const MAX_BYTES = 16 * 1024 * 1024

export function createAdLists({ urls, folder, egress, log, now = Date.now }: AdListOptions) {
  async function fetched(url: string): Promise<string> {
    const { status, body } = await egress.open(url, { timeoutMs: FETCH_MS })
    try {
      if (status !== 200) throw new Error(`status ${status}`)
      const bytes = await readBounded(body, MAX_BYTES, () => new Error('larger than 16 MiB'))
      const text = bytes.toString()
      // An error page, or the page of a network that wants a sign-in.
      if (!/^\s*(?:\[Adblock|!)/i.test(text)) throw new Error('not a filter list')
      return text
    } finally {
      body.destroy()
    }
  }

  /** Fresh from the host, else the last that was kept; null when there is none. */
  async function listAt(url: string): Promise<string | null> {
    const file = join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 16)}.txt`)
    const kept = await stat(file).catch(() => null)
    if (kept && now() - kept.mtimeMs < FRESH_MS) return readFile(file, 'utf8')
    try {
      const text = await fetched(url)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const beside = `${file}.${process.pid}.part`
      await writeFile(beside, text)
      await rename(beside, file)
      return text
    } catch (err) {
      log.warn({ err, url, hasOlder: kept !== null }, 'ad list unavailable')
      return kept ? readFile(file, 'utf8') : null
    }
  }

  return {
    async text(): Promise<string> {
      const lists = await Promise.all(urls.map(listAt))
      return [BUILT_IN_LIST, ...lists.filter((list) => list !== null)].join('\n')
    },
  }
}
