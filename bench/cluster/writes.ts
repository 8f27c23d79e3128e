import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation, InstalledService, Venue } from '../../test/support/installation.ts'
import type { Answer } from '../../test/support/service.ts'
import { pick } from './pick.ts'
import type { Started } from './ledger.ts'

const EVERY_MS = 400
const PATIENCE_MS = 10_000
/** A request that is answered so shortly after another may have replaced its track before that began. */
const OVERTAKES_MS = 1000
/** Guilds whose state cannot be read yet are asked again for so long. */
const READ_WITHIN_MS = 20_000

export interface Writes {
  /** Answered with 200. */
  readonly acknowledged: number
  /** Answered otherwise, or not at all: no one knows whether they were done. */
  readonly unknown: number
  /** The longest time in which none of a guild's requests was answered with 200. */
  readonly longestRefusalMs: number
  readonly started: readonly Started[]
  readonly tried: readonly Started[]
}

/** A guild in which tracks are requested, one after the other, by way of any service. */
interface Place {
  readonly venue: Venue
  /** `now` replaces the track that plays; `last` waits in the queue. */
  readonly when: 'now' | 'last'
  readonly acknowledged: string[]
  readonly unknown: string[]
  /** When each of the acknowledged ones was asked and answered. */
  readonly times: { readonly askedMs: number; readonly answeredMs: number }[]
  /** When the services came to the requests on which the caller had given up. */
  readonly lateMs: number[]
  longestRefusalMs: number
}

/** Requests of callers while something breaks, and what the services say of them afterwards. */
export interface Writing {
  /** Stops writing. */
  end(): Promise<Writes>
  /** Reads all back from all services. @returns what is missing, or there twice */
  readBack(services: readonly InstalledService[]): Promise<readonly string[]>
}

export interface Songs {
  readonly title: string
  readonly encoded: string
}

export interface WritingOptions {
  readonly installed: Installation
  readonly venues: { readonly now: readonly Venue[]; readonly last: readonly Venue[] }
  readonly songs: readonly Songs[]
  readonly random: () => number
  /** All is as it is to be at the beginning; the first request comes next. */
  readonly onBegin: () => Promise<void>
}

export async function startWriting(options: WritingOptions): Promise<Writing> {
  const { installed, venues, songs, random } = options
  const place = (when: Place['when']) => (venue: Venue) => ({
    venue,
    when,
    acknowledged: [],
    unknown: [],
    times: [],
    lateMs: [],
    longestRefusalMs: 0,
  })
  const places: readonly Place[] = [...venues.now.map(place('now')), ...venues.last.map(place('last'))]
  await Promise.all(venues.last.map((venue) => clear(installed, venue)))
  await options.onBegin()
  let isOver = false

  async function write(one: Place): Promise<void> {
    let answeredAtMs = performance.now()
    for (const { title, encoded } of songs) {
      if (isOver) return
      const service = pick(random, installed.services)
      const body = { track: { encoded }, when: one.when, channelId: one.venue.channelId }
      const askedMs = performance.now()
      const asked = service.call('POST', `${pathOf(one.venue)}/play`, body).catch(() => null)
      const answer = await inTime(asked)
      if (answer === LATE) void asked.then(() => one.lateMs.push(performance.now()))
      const isDone = answer !== LATE && answer?.status === 200
      ;(isDone ? one.acknowledged : one.unknown).push(title)
      const nowMs = performance.now()
      if (isDone) one.times.push({ askedMs, answeredMs: nowMs })
      one.longestRefusalMs = Math.max(one.longestRefusalMs, nowMs - answeredAtMs)
      if (isDone) answeredAtMs = nowMs
      await sleep(EVERY_MS * (0.5 + random()))
    }
  }
  const all = Promise.all(places.map(write))
  const begun = (titlesOf: (one: Place) => readonly string[]) =>
    places
      .filter(({ when }) => when === 'now')
      .flatMap((one) => titlesOf(one).map((title) => ({ guildId: one.venue.guild.id, title })))

  return {
    async end() {
      isOver = true
      await all
      const sum = (titles: 'acknowledged' | 'unknown') => places.reduce((total, one) => total + one[titles].length, 0)
      return {
        acknowledged: sum('acknowledged'),
        unknown: sum('unknown'),
        longestRefusalMs: Math.max(0, ...places.map((one) => one.longestRefusalMs)),
        started: begun((one) => one.acknowledged.filter((_, at) => !mayBeOvertaken(one, at))),
        tried: begun((one) => [...one.unknown, ...one.acknowledged.filter((_, at) => mayBeOvertaken(one, at))]),
      }
    },
    async readBack(services) {
      const faults = await Promise.all(
        places.flatMap((one) =>
          services.map(async (service) => (await compare(service, one)).map(wordsOf(one, service))),
        ),
      )
      return faults.flat()
    },
  }
}

const pathOf = ({ guild }: Venue) => `/v1/music/guilds/${guild.id}`
const wordsOf =
  ({ venue }: Place, { name }: InstalledService) =>
  (what: string) =>
    `${what} in ${venue.guild.id}, asked at ${name}`

const LATE = Symbol('late')

function inTime(asked: Promise<Answer | null>): Promise<Answer | null | typeof LATE> {
  return Promise.race([asked, sleep(PATIENCE_MS, LATE, { ref: false })])
}

/** Null: no answer. */
async function call(service: InstalledService, method: string, path: string, body?: unknown): Promise<Answer | null> {
  const answer = await inTime(service.call(method, path, body).catch(() => null))
  return answer === LATE ? null : answer
}

/** Whether a request on which the caller had given up was carried out beside the one at this place. */
function mayBeOvertaken({ times, lateMs }: Place, at: number): boolean {
  const { askedMs = 0, answeredMs = 0 } = times[at] ?? {}
  return lateMs.some((atMs) => atMs >= askedMs && atMs <= answeredMs + OVERTAKES_MS)
}

/** Of what earlier rounds left. */
async function clear(installed: Installation, venue: Venue): Promise<void> {
  await insist(installed, (service) => call(service, 'DELETE', `${pathOf(venue)}/queue`))
  const body = { query: 'noise', when: 'now', channelId: venue.channelId }
  await insist(installed, (service) => call(service, 'POST', `${pathOf(venue)}/play`, body))
  // A shard that moves now would begin it again elsewhere, and the ear take that for a leap.
  await insist(installed, async (service) => {
    const answer = await call(service, 'GET', `${pathOf(venue)}/player`)
    return answer?.body?.data?.positionMs > 0 ? answer : null
  })
}

async function insist(
  { services }: Installation,
  ask: (service: InstalledService) => Promise<Answer | null>,
): Promise<void> {
  for (let at = 0; ; at += 1) {
    const answer = await ask(services[at % services.length]!)
    if (answer?.status === 200) return
    await sleep(EVERY_MS)
  }
}

/** What one service says of a guild, against what was acknowledged. */
async function compare(service: InstalledService, one: Place): Promise<readonly string[]> {
  const untilMs = performance.now() + READ_WITHIN_MS
  for (;;) {
    const answer = await call(service, 'GET', `${pathOf(one.venue)}/player`)
    if (answer?.status === 200) return one.when === 'now' ? compareCurrent(one, answer) : compareQueue(one, answer)
    if (performance.now() > untilMs) return [`no player (${answer?.status ?? 'no answer'})`]
    await sleep(EVERY_MS)
  }
}

/** The last one that was acknowledged plays, or one that was tried later. */
function compareCurrent(one: Place, { body }: Answer): readonly string[] {
  const { acknowledged, unknown } = one
  const wanted = acknowledged.at(-1)
  const found = String(body.data.current?.title)
  if (wanted === undefined || found === wanted) return []
  const mayBeLater = found > wanted || mayBeOvertaken(one, acknowledged.length - 1)
  return unknown.includes(found) && mayBeLater ? [] : [`plays ${found} instead of ${wanted}`]
}

function compareQueue({ acknowledged, unknown }: Place, { body }: Answer): readonly string[] {
  const titles: string[] = [body.data.current, ...body.data.queue].flatMap((track) => (track ? [track.title] : []))
  const times = (title: string) => titles.filter((one) => one === title).length
  return [
    ...acknowledged.filter((title) => times(title) === 0).map((title) => `lost ${title}`),
    ...[...acknowledged, ...unknown].filter((title) => times(title) > 1).map((title) => `doubled ${title}`),
  ]
}
