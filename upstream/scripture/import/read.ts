import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { parseJson } from './json.ts'
import { parseOsis } from './osis.ts'
import { unreadable, type ParsedScripture } from './parsed.ts'
import { parseUsfm } from './usfm.ts'
import { readBounded } from '../../../lib/buffers.ts'

const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

/**
 * A translation from a file, an address, or a folder of USFM files; several USFM files are one translation.
 * @throws {Fault} that says what cannot be read and why.
 */
export async function readScripture(sources: readonly string[]): Promise<ParsedScripture> {
  const texts = (await Promise.all(sources.map(readTexts))).flat()
  const [first, ...others] = texts
  if (first === undefined) throw unreadable('The folder has no USFM files.')
  const start = first.slice(0, 1000).trimStart()
  if (start.startsWith('\\')) return { books: texts.flatMap(parseUsfm) }
  if (others.length > 0) throw unreadable('Only USFM can have several files. Use one file.')
  if (start.startsWith('{')) return parseJson(first)
  if (start.startsWith('<') && first.includes('<osis')) return parseOsis(first)
  throw unreadable('Unknown format. Use USFM, OSIS, or JSON of getBible or helloao.')
}

async function readTexts(source: string): Promise<string[]> {
  if (/^https?:\/\//i.test(source)) return [await download(source)]
  try {
    const facts = await stat(source)
    if (!facts.isDirectory()) return [await readText(source, facts.size)]
    const names = (await readdir(source)).filter((name) => /\.(?:usfm|sfm)$/i.test(name)).toSorted()
    return await Promise.all(names.map((name) => readFile(join(source, name), 'utf8').then(withoutBom)))
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error
    throw unreadable(`Reading ${source} failed (${error.code}).`, error)
  }
}

async function readText(path: string, size: number): Promise<string> {
  if (size > MAX_BYTES) throw unreadable(`${path} is larger than ${MAX_BYTES / 1024 / 1024} MB.`)
  return withoutBom(await readFile(path, 'utf8'))
}

/** The operator names the address, so it may be anywhere. */
async function download(url: string): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await request(url, { signal, headers: { accept: '*/*' } })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw unreadable(`${url} returned the status ${answer.statusCode}.`)
    }
    const tooLarge = () => unreadable(`${url} is larger than ${MAX_BYTES / 1024 / 1024} MB.`)
    return withoutBom((await readBounded(answer.body, MAX_BYTES, tooLarge)).toString('utf8'))
  } catch (error) {
    if (error instanceof Error && error.name === 'Fault') throw error
    throw unreadable(`Fetching ${url} failed.`, error)
  }
}

function withoutBom(text: string): string {
  return text.replace(/^\u{FEFF}/u, '')
}
