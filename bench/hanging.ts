/**
 * What neighbours do to each other: ten players pass music through while every outside service hangs, and while pictures
 * are worked on four at a time. Each time the gaps between packets, as the stand-in Discord received them, and how long
 * `GET /v1/status` takes at 200 requests a second, both held against the idle service of the same run. The service, the
 * stand-ins and the load share this machine. `npm run bench:hanging [players] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { makeAudio } from '../test/support/audio-files.ts'
import { startService, type RunningService } from '../test/support/service.ts'
import { HANGING_ROUTES, UPSTREAM_ADDRESSES } from '../test/support/upstreams/addresses.ts'
import { startStandIn } from '../test/support/upstreams/stand-in.ts'
import { load } from './load.ts'
import { HEADINGS, measure, openPlaces, playEverywhere, print } from './places.ts'
import { preferStandIn } from './process.ts'

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
    const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
    const userId: string = applications[0].id
    const places = await openPlaces(service, userId, PLAYERS)
    await playEverywhere(service, places)
    if (!preferStandIn(service.process.pid ?? 0)) console.log('  (the stand-in has no priority: its waiting shows too)')
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
      const [late, slow] = [heard.p999 / idle.heard.p999, asked.p99Ms / idle.asked.p99Ms]
      console.log(`  ${name}: answers ${JSON.stringify(answers)}`)
      console.log(
        `  status p99 ${asked.p99Ms.toFixed(1)} ms, ${slow.toFixed(2)} of idle; p99.9 of gaps ${late.toFixed(2)} of idle`,
      )
    }
    console.log(`  status p99 ${idle.asked.p99Ms.toFixed(1)} ms`)
    const hanging = lookUp(service)
    await sleep(2000)
    const whileHanging = await phase('all upstreams hang')
    tell('look-ups', whileHanging, await hanging.stop())
    const drawing = await drawPictures(service)
    await sleep(2000)
    const whileDrawing = await phase('pictures are drawn')
    tell('pictures', whileDrawing, await drawing.stop())
  } finally {
    await service.stop()
    await abyss.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
try {
  const seconds = SECONDS * 3 + 120
  const tags = { title: 'Benchmark Tone', artist: 'Bench' }
  makeAudio(join(folder, 'tone.ogg'), { seconds, tags, options: ['-c:a', 'libopus', '-b:a', '128k'] })
  console.log(`${PLAYERS} players, ${SECONDS} s each, ${STATUS_PER_SECOND} times a second /v1/status; gaps in ms`)
  console.log(HEADINGS)
  await run(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
