import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../test/support/service.ts'
import { enterLink } from './enter-link.ts'
import { pssMiB } from './growth/service.ts'
import { openPlaces, play, type Place } from './places.ts'
import { argsOf, descendantsOf, residentMiB } from './process.ts'

const SAMPLE_EVERY_MS = 1000
/** A look at a page, and how many calls come with it. */
const ROUND_MS = 500

interface Load {
  readonly places: readonly Place[]
  readonly minutes: number
}

export interface LoadReport {
  /** The most that the service and its children but the stand-in held at once. */
  readonly peakMiB: number
  readonly packets: number
  readonly lost: number
  readonly longestGapMs: number
  readonly answers: number
  /** Those with another status than 2xx: path and status. */
  readonly refused: readonly string[]
}

/** Players that repeat a track. */
export async function openRepeating(service: RunningService, count: number, query: string): Promise<readonly Place[]> {
  const places = await openPlaces(service, service.demo.botId, count)
  for (const place of places) {
    await play(service, place, query)
    await service.call('PATCH', `/v1/music/guilds/${place.guildId}/player`, { body: { loop: 'track' } })
  }
  return places
}

/** Calls the API and opens pages of the dashboard while players play, and looks at the memory each second. */
export async function loadFor(service: RunningService, { places, minutes }: Load): Promise<LoadReport> {
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const packetsOf = ({ guildId }: Place) => `/sandbox/guilds/${guildId}/members/${applications[0].id}/packets`
  for (const place of places) await service.sandbox('GET', `${packetsOf(place)}?reset=true`)
  const untilMs = performance.now() + minutes * 60_000
  const cookie = await enterLink(service.demo.dashboardUrl)
  const pages = await pagesFrom(service, cookie)
  let [answers, peakMiB] = [0, 0]
  const refused: string[] = []
  const count = (path: string, { status }: { readonly status: number }) => {
    answers += 1
    if (status < 200 || status > 299) refused.push(`${path} ${status}`)
  }
  const watching = (async () => {
    for (; performance.now() < untilMs; await sleep(SAMPLE_EVERY_MS)) peakMiB = Math.max(peakMiB, groupMiB(service))
  })()
  for (let round = 0; performance.now() < untilMs; round += 1) {
    const { guildId } = places[round % places.length]!
    const [path, page] = [`/v1/music/guilds/${guildId}/player`, pages[round % pages.length]!]
    for (const each of [path, path.replace('player', 'queue'), '/v1/music/search?q=harbour']) {
      count(each, await service.call('GET', each))
    }
    count(page, await fetch(service.demo.baseUrl + page, { headers: { cookie } }))
    await sleep(ROUND_MS)
  }
  await watching
  const reports = await Promise.all(places.map(async (place) => (await service.sandbox('GET', packetsOf(place))).body))
  return {
    peakMiB,
    answers,
    refused,
    packets: sum(reports.map(({ packets }) => packets)),
    lost: sum(reports.map(({ lost }) => lost)),
    longestGapMs: Math.max(...reports.map(({ gapMs }) => gapMs.longest)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** What the first page of the dashboard links to. */
async function pagesFrom({ demo }: RunningService, cookie: string): Promise<readonly string[]> {
  const home = await (await fetch(`${demo.baseUrl}/dashboard`, { headers: { cookie } })).text()
  const links = new Set(Array.from(home.matchAll(/href="(\/dashboard[^"#?]*)"/g), ([, path]) => path!))
  if (links.size < 3) throw new Error(`The dashboard shows ${links.size} links: is it signed in?`)
  return [...links].filter((path) => !/sign-out|\.(?:css|js|svg|woff2|webmanifest|png)$/.test(path))
}

/**
 * What a control group of it would count: all pages of the service, and of what it started those that it does not share.
 */
function groupMiB({ process: { pid = 0 } }: RunningService): number {
  const own = descendantsOf(pid).filter((one) => !argsOf(one).includes('sandbox/main'))
  return own.reduce((sum, one) => {
    try {
      return sum + pssMiB(one.pid)
    } catch {
      // It ended in between.
      return sum
    }
  }, residentMiB(pid))
}
