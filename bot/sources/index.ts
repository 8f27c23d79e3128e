import { setTimeout as sleep } from 'node:timers/promises'
import type { LibraryRecords } from '../../db/library.ts'
import { unprocessable } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { TrackInfo } from '../track.ts'
import { createHttpSource } from './http.ts'
import { createLibrary } from './library.ts'
import { createReader, type Reader } from './reader.ts'
import type { Found, Source, Sources } from './source.ts'

export interface SourcesOptions {
  /** In the order in which they are asked. */
  readonly names: readonly ('library' | 'http')[]
  readonly library: { readonly folder: string; readonly records: LibraryRecords }
  /** Hosts that URLs may lead to whatever their address. */
  readonly allowHosts: readonly string[]
  readonly log: Logger
}

/** How long the start waits for the library. What takes longer goes on while the service already plays. */
const FIRST_REFRESH_MS = 3000

/** The configured places that music comes from. Their reading is done in a thread of their own. */
export async function createSources(options: SourcesOptions): Promise<Sources> {
  const reader = createReader(options)
  const sources = await Promise.all(options.names.map((name) => createSource(name, reader, options)))
  const names = sources.map(({ name }) => name)

  async function search(text: string, limit: number, signal: AbortSignal, asked = sources) {
    const found: TrackInfo[] = []
    for (const source of asked) {
      if (found.length < limit) found.push(...(await source.search(text, limit - found.length, signal)))
    }
    return found
  }

  return {
    names,
    find: async (query, signal) => {
      const text = query.trim()
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return resolveUrl(sources, text, signal)
      const tracks = await search(text, 1, signal)
      if (tracks.length === 0) throw unprocessable('body.query', 'Nothing was found for this query.')
      return { tracks, playlist: null }
    },
    search: async (text, { limit, source, signal }) => {
      const asked = source === undefined ? sources : sources.filter(({ name }) => name === source)
      if (asked.length === 0) throw unprocessable('query.source', `The sources are ${names.join(', ')}.`)
      return search(text.trim(), limit, signal, asked)
    },
    open: async (track, signal) => {
      const source = sources.find(({ sourceName }) => sourceName === track.sourceName)
      if (!source) throw unprocessable('body.track.encoded', 'No source of this service plays this kind of track.')
      return source.open(track, signal)
    },
    close: async () => {
      for (const source of sources) source.close()
      await reader.close()
    },
  }
}

async function createSource(name: 'library' | 'http', reader: Reader, options: SourcesOptions): Promise<Source> {
  if (name === 'http') return createHttpSource({ reader })
  const library = createLibrary({ ...options.library, reader, log: options.log })
  const stopWaiting = new AbortController()
  const late = sleep(FIRST_REFRESH_MS, undefined, { signal: stopWaiting.signal }).catch(() => {})
  await Promise.race([library.refresh(), late])
  stopWaiting.abort()
  return library
}

async function resolveUrl(sources: readonly Source[], text: string, signal: AbortSignal): Promise<Found> {
  const url = URL.parse(text)
  if (!url)
    throw unprocessable('body.query', 'This is not a complete URL; one looks like https://example.com/song.mp3.')
  const source = sources.find((it) => it.claims(url))
  if (!source) throw unprocessable('body.query', 'URLs of this kind are not played here.')
  return source.resolve(url, signal)
}
