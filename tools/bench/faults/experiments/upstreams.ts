import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { everyUpstream, WITHOUT_AN_ANSWER } from '../../../stage/upstream-addresses.ts'
import { MISBEHAVIOURS, startStandIn } from '../../../../test/support/upstreams/stand-in.ts'
import type { LoadReport } from '../../http-load.ts'
import { residentMiB } from '../../../stage/process.ts'
import { experiment } from '../experiment.ts'
import { startPlaying } from '../players.ts'
import { type Service, type Tools } from '../tools.ts'

/** Shorter than usual, to shorten the experiment. */
const CALL_MS = 1500
/** Some ask two services one after the other, and a translator of one's own may take four times as long as others. */
const ANSWER_WITHIN_MS = 4 * CALL_MS + 1000
const STATUS_PER_SECOND = 100
const MOST_GROWN_MIB = 100
/** The most by which p99 of other routes may grow, compared with the idle service; a busy machine's noise comes on top. */
const MOST_SLOWED = 3
const NOISE_MS = 50
const UNHEARD_MS = 400

interface Asked {
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly wanted: number
}

let serial = 0

/** Another id of the same length, or a longer one where it is short. */
function numbered(id: string): string {
  return id.length > 1 ? String(BigInt(id) + BigInt(serial++)) : String(7000 + serial++)
}

/** Asks every route that asks someone outside, each for something new, so that no call is shared. */
async function askAll(service: Service): Promise<readonly Asked[]> {
  const asking = Object.entries(WITHOUT_AN_ANSWER).map(async ([route, wanted]) => {
    const startMs = performance.now()
    const path = route.replace('Somebody', `Somebody${serial++}`).replace(/(?<=\/)\d+$|(?<=\/)7(?=\/)/, numbered)
    const { status } = await service.call('GET', path, { key: service.keys.unlinked })
    return { route, status, ms: performance.now() - startMs, wanted }
  })
  return Promise.all(asking)
}

function judge(tools: Tools, how: string, asked: readonly Asked[], withinMs = ANSWER_WITHIN_MS): void {
  const wrong = asked.filter(({ status, wanted, ms }) => status !== wanted || ms > withinMs)
  const slowest = Math.round(Math.max(...asked.map(({ ms }) => ms)))
  const names = wrong.map(({ route, status, ms }) => `${route} ${status} after ${Math.round(ms)} ms`).join(', ')
  tools.must(
    wrong.length === 0,
    `${how}: ${asked.length - wrong.length} of ${asked.length} as documented, slowest ${slowest} ms ${names}`.trim(),
  )
}

/** Asks for the status from a process of its own: this one has the outside services to play. */
async function statusOf(tools: Tools, { baseUrl, keys }: Service, seconds: number): Promise<LoadReport> {
  const child = tools.own(fork(join(import.meta.dirname, '..', '..', 'http-load.ts')), (it) => it.kill())
  const where = { port: Number(new URL(baseUrl).port), path: '/v1/status', keys: [keys.unlinked] }
  child.send({ ...where, connections: 16, forMs: seconds * 1000, perSecond: STATUS_PER_SECOND })
  return (await once(child, 'message'))[0]
}

/** The services outside. */
export const UPSTREAMS = [
  experiment('9a', {
    title: `every outside service of the utilities hangs, drips, answers errors, garbage, 20 MB or a redirect, or cuts the connection (${MISBEHAVIOURS.length} ways, 13 routes)`,
    passes:
      'the documented error within 7 s each time (UPSTREAM_TIMEOUT_MS 1500); afterwards the breaker stops the calls; p99 of status at most three times the idle one and 50 ms, no gap of 0.4 s in the sound, memory up by 100 MiB at most',
    limitMs: 150_000,
    async run(tools) {
      const outside = tools.own(await startStandIn(() => undefined), (it) => it.close())
      const { service, sound } = await startPlaying(tools, {
        env: { ...everyUpstream(() => outside.url), UPSTREAM_TIMEOUT_MS: String(CALL_MS) },
      })
      // Workers and caches that the routes start on their own are there then.
      await askAll(service)
      const idle = await statusOf(tools, service, 4)
      const beforeMiB = residentMiB(service.pid)
      const asking = statusOf(tools, service, 20)
      const last = 'status 429 with Retry-After'
      for (const how of [...MISBEHAVIOURS.filter((one) => one !== last), last] as const) {
        outside.misbehave(how)
        judge(tools, how, await askAll(service))
        // A good answer now and then, or the breakers would spare them the rest.
        outside.misbehave(null)
        await askAll(service)
      }
      const busy = await asking
      outside.misbehave('hang')
      for (let round = 0; round < 6; round++) await askAll(service)
      const count = outside.received.length
      judge(tools, 'left alone', await askAll(service), 1000)
      tools.must(
        outside.received.length === count,
        `${outside.received.length - count} calls to services that are left alone`,
      )
      const grownMiB = residentMiB(service.pid) - beforeMiB
      tools.must(grownMiB < MOST_GROWN_MIB, `memory ${grownMiB.toFixed(0)} MiB more`)
      tools.must(
        busy.p99Ms < idle.p99Ms * MOST_SLOWED + NOISE_MS && busy.refused === 0,
        `status p99 ${busy.p99Ms.toFixed(1)} ms, before ${idle.p99Ms.toFixed(1)} ms`,
      )
      const gapMs = await sound.gapMs()
      tools.must(gapMs < UNHEARD_MS, `longest gap in the sound ${gapMs} ms`)
    },
  }),
]
