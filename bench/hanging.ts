/**
 * What neighbours do to each other: ten players pass music through while every outside service hangs, and while pictures
 * are worked on four at a time. Each time the gaps between packets, as the stand-in Discord received them, and how long
 * `GET /v1/status` takes at 200 requests a second, both held against the idle service of the same run. The service, the
 * stand-ins and the load share this machine. `npm run bench:hanging [players] [seconds]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { startService, type RunningService } from '../test/support/service.ts'
import { HANGING_ROUTES, UPSTREAM_ADDRESSES } from '../test/support/upstreams/addresses.ts'
import { startStandIn } from '../test/support/upstreams/stand-in.ts'
import { load } from './load.ts'
import { HEADINGS, measure, print, startConcert, withTone } from './places.ts'
import { ratioAtMost, report } from './report.ts'

const PLAYERS = Number(process.argv[2] ?? 10)
const SECONDS = Number(process.argv[3] ?? 15)
const STATUS_PER_SECOND = 200
const LOOK_UPS_PER_SECOND = 30
const PICTURES_AT_ONCE = 4
/** Slower than the plan of the demo's key allows. */
const PICTURE_PAUSE_MS = 250

/** Runs until it is stopped, and counts the answers by status. */
interface Neighbour {
  stop(): Promise<Readonly<Record<number, number>>>
}

function lookUp(service: RunningService): Neighbour {
  const answers: Record<number, number> = {}
  const asking = new Set<Promise<unknown>>()
  let serial = 0
  const ask = async (): Promise<void> => {
    const route = HANGING_ROUTES[serial % HANGING_ROUTES.length] ?? ''
    // Another one each time: identical ones would share one call.
    const { status } = await service.call('GET', route.replace('Somebody', `Somebody${serial++}`))
    answers[status] = (answers[status] ?? 0) + 1
  }
  const timer = setInterval(() => {
    const one = ask().finally(() => asking.delete(one))
    asking.add(one)
  }, 1000 / LOOK_UPS_PER_SECOND)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(asking)
      return answers
    },
  }
}

async function drawPictures({ demo }: RunningService): Promise<Neighbour> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
  const answers: Record<number, number> = {}
  const over = new AbortController()
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const response = await fetch(`${demo.baseUrl}/v1/image/filters/blur`, {
        method: 'POST',
        body: picture as Uint8Array<ArrayBuffer>,
        headers: { authorization: `Bearer ${demo.keys.linked}`, accept: 'image/*' },
      })
      await response.arrayBuffer()
      answers[response.status] = (answers[response.status] ?? 0) + 1
      await sleep(PICTURE_PAUSE_MS)
    }
  }
  const lanes = Promise.all(Array.from({ length: PICTURES_AT_ONCE }, lane))
  return {
    async stop() {
      over.abort()
      await lanes
      return answers
    },
  }
}

async function run(libraryDir: string): Promise<void> {
  const abyss = await startStandIn(() => undefined)
  abyss.misbehave('hang')
  const addresses = Object.fromEntries(UPSTREAM_ADDRESSES.map((variable) => [variable, abyss.url]))
  const service = await startService({
    env: { ...addresses, LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400', LOG_LEVEL: 'error' },
  })
  try {
    const { places, userId } = await startConcert(service, PLAYERS)
    await sleep(4000)
    const status = `${service.demo.baseUrl}/v1/status`
    const phase = async (name: string) => {
      const forMs = SECONDS * 1000
      const asking = load(status, service.demo.keys.linked, { perSecond: STATUS_PER_SECOND, forMs })
      const heard = await measure(service, places, { userId, seconds: SECONDS })
      print(name, heard)
      return { heard, asked: await asking }
    }
    const idle = await phase('nothing else')
    const tell = (name: string, { heard, asked }: typeof idle, answers: Readonly<Record<number, number>>) => {
      console.log(`  ${name}: answers ${JSON.stringify(answers)}`)
      report({
        what: `p99 of \`/v1/status\` while ${name}`,
        own: asked.p99Ms,
        unit: ' ms',
        beside: { whom: 'nothing else', value: idle.asked.p99Ms },
        goal: null,
      })
      report({
        what: `p99.9 of the gaps between packets of ${PLAYERS} players while ${name}`,
        own: heard.p999,
        unit: ' ms',
        beside: { whom: 'nothing else', value: idle.heard.p999 },
        goal: ratioAtMost(1.33),
      })
    }
    console.log(`  status p99 ${idle.asked.p99Ms.toFixed(1)} ms`)
    const hanging = lookUp(service)
    await sleep(2000)
    const whileHanging = await phase('all upstreams hang')
    tell('all upstreams hang', whileHanging, await hanging.stop())
    const drawing = await drawPictures(service)
    await sleep(2000)
    const whileDrawing = await phase('pictures are drawn')
    tell('pictures are drawn', whileDrawing, await drawing.stop())
  } finally {
    await service.stop()
    await abyss.close()
  }
}

await withTone(SECONDS * 3 + 120, async (libraryDir) => {
  console.log(`${PLAYERS} players, ${SECONDS} s each, ${STATUS_PER_SECOND} times a second /v1/status; gaps in ms`)
  console.log(HEADINGS)
  await run(libraryDir)
})
