import { createHash } from 'node:crypto'
import { startStandIn, type StandIn } from './stand-in.ts'

export interface MarkedSegment {
  readonly segment: readonly [number, number]
  readonly category: string
  readonly actionType?: string
  readonly locked?: number
  readonly votes?: number
  readonly videoDuration?: number
}

export interface SponsorBlockStandIn extends StandIn {
  /** Segments by the id of the video. */
  readonly videos: Map<string, readonly MarkedSegment[]>
}

const PREFIX = /^\/api\/skipSegments\/([0-9a-f]{4,32})$/

/**
 * SponsorBlock's server as its API has it: segments by a prefix of the hash of a video's id, for every video with that
 * prefix; 404 if there are none, 400 for a prefix or a parameter that it cannot read.
 */
export async function startSponsorBlock(): Promise<SponsorBlockStandIn> {
  const videos = new Map<string, readonly MarkedSegment[]>()
  const service = await startStandIn(({ path, query }) => {
    const prefix = PREFIX.exec(path)?.[1]
    const categories = readList(query.get('categories'), ['sponsor'])
    const actions = readList(query.get('actionTypes'), ['skip'])
    if (prefix === undefined) return { status: 400, text: 'Hash prefix does not match format requirements.' }
    if (!categories || !actions) return { status: 400, text: 'Bad parameter: categories (invalid JSON)' }
    const found = [...videos].flatMap(([videoID, marked]) => {
      const hash = hashOf(videoID)
      const segments = marked
        .map(whole)
        .filter((it) => categories.includes(it.category) && actions.includes(it.actionType))
      return hash.startsWith(prefix) && segments.length > 0 ? [{ videoID, hash, segments }] : []
    })
    return found.length > 0 ? { json: found } : { status: 404, json: [] }
  })
  return Object.assign({ videos }, service)
}

/** Ids of videos whose hashes begin with the same four digits. */
export function neighboursOf(videoId: string): string {
  const prefix = hashOf(videoId).slice(0, 4)
  for (let index = 0; ; index++) {
    const id = `n${String(index).padStart(10, '0')}`
    if (id !== videoId && hashOf(id).startsWith(prefix)) return id
  }
}

export function hashOf(videoId: string): string {
  return createHash('sha256').update(videoId).digest('hex')
}

function whole(marked: MarkedSegment, index: number) {
  const facts = { actionType: 'skip', locked: 0, votes: 1, videoDuration: 0, userID: '', description: '' }
  return { ...facts, UUID: `${index}`.padStart(65, 'f'), ...marked }
}

function readList(text: string | null, fallback: readonly string[]): readonly string[] | null {
  try {
    const list: unknown = text === null ? fallback : JSON.parse(text)
    return Array.isArray(list) ? list : null
  } catch {
    return null
  }
}
