import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceName } from '../../bot/sources/settings.ts'
import type { UpstreamName } from '../../upstream/http/addresses.ts'

/** A link that our source has to read. */
export interface KnownLink {
  readonly name: string
  readonly url: string
  readonly atLeast: number
}

/** An answer of a music site, as our sources read it, with made-up values. */
export interface RecordedShape {
  readonly name: string
  readonly upstream: UpstreamName
  readonly path: string
  /** Sent by POST. */
  readonly json?: unknown
  /** The script element of a page that holds the JSON. */
  readonly script?: string
  /** Whether it is the number of songs that a page names. */
  readonly isCount?: boolean
  /** What has to be asked for first: a token of the operator's app, or the ID of SoundCloud's website. */
  readonly needs?: 'spotifyToken' | 'soundCloudId'
  /** Fields that we read. Of a list, each element is one that has to be among the elements of the answer. */
  readonly shape: unknown
}

export interface SourceShapes {
  readonly source: Exclude<SourceName, 'library' | 'http'>
  readonly links: readonly KnownLink[]
  readonly answers: readonly RecordedShape[]
}

const folder = join(import.meta.dirname, 'shapes')

export function readShapes(): readonly SourceShapes[] {
  const files = readdirSync(folder).toSorted()
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as SourceShapes)
}

/** Returns a copy of the shape of one answer. */
export function shapeOf(source: string, name: string): unknown {
  const answers = readShapes().find((it) => it.source === source)?.answers ?? []
  const found = answers.find((it) => it.name === name)
  if (!found) throw new Error(`${source} has no shape called ${name}`)
  return found.shape
}
