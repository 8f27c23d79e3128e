import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../../test/support/service.ts'
import { enterLink } from './enter-link.ts'
import { pssMiB } from './own-service.ts'
import { openPlaces, play, type Place } from '../stage/places.ts'
import type { ControlGroup, GroupMemory } from '../stage/control-group.ts'
import { argsOf, descendantsOf, residentMiB } from '../stage/process.ts'

const SAMPLE_EVERY_MS = 1000
/** A look at a page of the dashboard and three calls, so 20 requests a second. */
const ROUND_MS = 200
const CHANGE_EVERY = 25

interface Load {
  readonly places: readonly Place[]
  readonly minutes: number
  /** That the service runs in. */
  readonly group: ControlGroup | null
}

export type LoadReport = Awaited<ReturnType<typeof loadFor>>

/** Players that repeat a track. */
export async function openRepeating(service: RunningService, count: number, query: string): Promise<readonly Place[]> {
  const places = await openPlaces(service, service.demo.botId, count)
  for (const place of places) {
    await play(service, place, query)
    await service.call('PATCH', `/v1/music/guilds/${place.guildId}/player`, { body: { loop: 'track' } })
  }
  return places
}

/**
 * Calls the API and opens pages of the dashboard while players play, one of which stays open, and looks at the memory each
 * second.
 */
export async function loadFor(service: RunningService, { places, minutes, group }: Load) {
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const packetsOf = ({ guildId }: Place) => `/sandbox/guilds/${guildId}/members/${applications[0].id}/packets`
  for (const place of places) await service.sandbox('GET', `${packetsOf(place)}?reset=true`)
  const startMs = performance.now()
  const untilMs = startMs + minutes * 60_000
  const cookie = await enterLink(service.demo.dashboardUrl)
  const pages = await pagesFrom(service, cookie)
  const live = await followPlayer(service, cookie, places[0]!)
  let [answers, peakMiB] = [0, 0]
  /** Requests with another status than 2xx: path and status. */
  const refused: string[] = []
  const count = (path: string, { status }: { readonly status: number }) => {
    answers += 1
    if (status < 200 || status > 299) refused.push(`${path} ${status}`)
  }
  /** The most that the group held at once. */
  let most = group?.now() ?? null
  const watching = (async () => {
    for (; performance.now() < untilMs; await sleep(SAMPLE_EVERY_MS)) {
      peakMiB = Math.max(peakMiB, groupMiB(service))
      if (group) most = larger(most, group.now())
    }
  })()
  for (let round = 0; performance.now() < untilMs; round += 1) {
    const { guildId } = places[round % places.length]!
    const [path, page] = [`/v1/music/guilds/${guildId}/player`, pages[round % pages.length]!]
    for (const each of [path, path.replace('player', 'queue'), '/v1/music/search?q=harbour']) {
      count(each, await service.call('GET', each))
    }
    // Either mode repeats the one track, so nothing else changes.
    if (round % CHANGE_EVERY === 0) {
      const loop = round % (2 * CHANGE_EVERY) === 0 ? 'queue' : 'track'
      const changed = `/v1/music/guilds/${places[0]!.guildId}/player`
      count(changed, await service.call('PATCH', changed, { body: { loop } }))
    }
    count(page, await fetch(service.demo.baseUrl + page, { headers: { cookie } }))
    await sleep(Math.max(0, startMs + round * ROUND_MS - performance.now()))
  }
  await watching
  const { updates } = await live.close()
  const reports = await Promise.all(places.map(async (place) => (await service.sandbox('GET', packetsOf(place))).body))
  return {
    /** The most that the service and its children but the stand-in held at once. */
    peakMiB,
    answers,
    refused,
    /** That the open page of a player got. */
    updates,
    group: most,
    packets: sum(reports.map(({ packets }) => packets)),
    lost: sum(reports.map(({ lost }) => lost)),
    longestGapMs: Math.max(...reports.map(({ gapMs }) => gapMs.longest)),
  }
}

/** Reads what the service sends to the open page of a player. @throws {Error} if that is no stream */
async function followPlayer({ demo }: RunningService, cookie: string, { guildId }: Place) {
  const leaving = new AbortController()
  const path = `/dashboard/projects/${demo.projectId}/players/${demo.botId}/${guildId}/live`
  const response = await fetch(demo.baseUrl + path, { headers: { cookie }, signal: leaving.signal })
  const contentType = response.headers.get('content-type')
  if (contentType !== 'text/event-stream' || !response.body) throw new Error(`${path} got ${contentType}.`)
  let updates = 0
  const reading = (async (body: AsyncIterable<string>) => {
    for await (const text of body) updates += text.match(/^data:/gm)?.length ?? 0
  })(response.body.pipeThrough(new TextDecoderStream())).then(
    () => 'ended by the service',
    (error: unknown) => (leaving.signal.aborted ? null : String(error)),
  )
  return {
    /** @returns how many updates it got until now @throws {Error} if the service ended it before */
    async close(): Promise<{ readonly updates: number }> {
      leaving.abort()
      const broken = await reading
      if (broken !== null) throw new Error(`The open page: ${broken}.`)
      return { updates }
    },
  }
}

/** The latest counts, and the most of the rest. */
function larger(most: GroupMemory | null, now: GroupMemory): GroupMemory {
  const [anonymous, mapped] = [most?.anonymous ?? 0, most?.mapped ?? 0]
  return { ...now, anonymous: Math.max(anonymous, now.anonymous), mapped: Math.max(mapped, now.mapped) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Links on the first page of the dashboard. */
async function pagesFrom({ demo }: RunningService, cookie: string): Promise<readonly string[]> {
  const home = await (await fetch(`${demo.baseUrl}/dashboard`, { headers: { cookie } })).text()
  const links = new Set(Array.from(home.matchAll(/href="(\/dashboard[^"#?]*)"/g), ([, path]) => path!))
  if (!links.has(`/dashboard/projects/${demo.projectId}/players`)) throw new Error('The dashboard is not signed in.')
  return [...links].filter((path) => !/sign-out|\.(?:css|js|svg|woff2|webmanifest|png)$/.test(path))
}

/** The memory that a control group of the service would count: all its pages, and the unshared part of its child processes. */
function groupMiB({ process: { pid = 0 } }: RunningService): number {
  const own = descendantsOf(pid).filter((one) => !argsOf(one).includes('packages/sandbox/main'))
  return own.reduce((sum, one) => {
    try {
      return sum + pssMiB(one.pid)
    } catch {
      // Ended in between.
      return sum
    }
  }, residentMiB(pid))
}
