/**
 * Filters through the whole service against the library called by hand: PNG out, at 512² (PNG in) and 4096² (JPEG in).
 * Requests per second, and the CPU time that each takes: of this process, which has the API and the library by hand, and
 * of its workers, but not of the caller, which is a process of its own. On a machine that others use the second is what
 * tells.
 *
 * The script gives the library by hand the priority and the number of threads that the workers have.
 *
 *     npm run bench:images [-- --rounds 12] [--sides 512,4096] [--workers 2] [--only blur,sepia]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { EFFECTS } from '../jobs/images/catalogue.ts'
import { createImages } from '../jobs/images/images.ts'
import { createLog } from '../log.ts'
import { keys, startApi } from '../test/support/api.ts'
import type { Asked, Told } from './images-caller.ts'
import { childrenOf, cpuSeconds } from './process.ts'

const CONCURRENCY = 4

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    sides: { type: 'string', default: '512,4096' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})

/** The same by hand, where the library has an operation for it; the others are held against a bare re-encoding. */
const BARE: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  greyscale: (picture) => picture.modulate({ saturation: 0 }),
  sepia: (picture) =>
    picture.recomb([
      [0.39, 0.77, 0.19],
      [0.35, 0.69, 0.17],
      [0.27, 0.53, 0.13],
    ]),
  invert: (picture) => picture.negate({ alpha: false }),
  saturate: (picture) => picture.modulate({ saturation: 1.8 }),
  hue: (picture) => picture.modulate({ hue: 90 }),
  brightness: (picture) => picture.linear(1, 60),
  contrast: (picture) => picture.linear(1.6, -70),
  gamma: (picture) => picture.gamma(1.6),
  tint: (picture) => picture.tint('#5865f2'),
  threshold: (picture) => picture.threshold(128),
  blur: (picture) => picture.blur(6),
  sharpen: (picture) => picture.sharpen({ sigma: 2 }),
  rotate: (picture) => picture.rotate(90),
  flip: (picture) => picture.flop(),
  resize: (picture) => picture.resize(512, 512, { fit: 'fill' }),
}

/** Soft shapes and a little grain, about as compressible as a photograph. */
async function photograph(side: number): Promise<Buffer> {
  const data = Buffer.alloc(side * side * 3)
  const scale = 512 / side
  let state = 1
  for (let y = 0, at = 0; y < side; y++) {
    for (let x = 0; x < side; x++, at += 3) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const grain = state >>> 29
      const wave = Math.sin(x * scale * 0.02) * Math.cos(y * scale * 0.027)
      data[at] = 120 + wave * 90 + grain
      data[at + 1] = 110 + wave * 60 + (x * scale) / 8 + grain
      data[at + 2] = 90 + (y * scale) / 5 + grain
    }
  }
  const picture = sharp(data, { raw: { width: side, height: side, channels: 3 } })
  // As a PNG the large one would be beyond what callers may send.
  return side > 1024 ? picture.jpeg({ quality: 85 }).toBuffer() : picture.png().toBuffer()
}

interface Speed {
  readonly perSecond: number
  /** Milliseconds for each. */
  readonly cpuMs: number
}

/** How fast `work` gets `rounds` done, and what that takes of this process and its workers. */
async function measure(rounds: number, work: () => Promise<unknown>): Promise<Speed> {
  const [before, startedAt] = [cpuUsed(), performance.now()]
  await work()
  const [used, took] = [cpuUsed() - before, performance.now() - startedAt]
  return { perSecond: (rounds * 1000) / took, cpuMs: (used * 1000) / rounds }
}

/** Seconds, of this process and of the workers that there are now. */
function cpuUsed(): number {
  const own = childrenOf(process.pid).filter((pid) => pid !== caller.pid)
  return own.reduce((sum, pid) => sum + cpuSeconds(pid), cpuSeconds(process.pid))
}

async function byHand(rounds: number, work: () => Promise<unknown>): Promise<void> {
  let left = rounds
  const lane = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
}

async function byCaller(asked: Asked): Promise<void> {
  caller.send(asked)
  const [told] = (await once(caller, 'message')) as [Told]
  if (told.failure !== null) throw new Error(told.failure)
}

sharp.concurrency(1)
const workers = Number(values.workers)
const egress = { open: () => Promise.reject(new Error('Nothing is fetched here.')) }
const images = createImages({ log: createLog('warn'), egress, workers })
const api = await startApi({
  app: {
    images: {
      apply(request) {
        // So that the limits of the plan do not answer instead.
        api.clock.nowMs += 1000
        return images.apply(request)
      },
    },
  },
})
const caller = fork(new URL('images-caller.ts', import.meta.url), { serialization: 'advanced' })
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, ${workers} workers; ${CONCURRENCY} at a time`)
for (const side of values.sides.split(',').map(Number)) {
  const picture = await photograph(side)
  const rounds = side > 1024 ? Math.max(4, Math.round(Number(values.rounds) / 6)) : Number(values.rounds)
  console.log(
    `\n| ${side}² ${side > 1024 ? 'JPEG' : 'PNG'}, ${Math.round(picture.length / 1024)} KiB | library/s | service/s | ratio | library CPU ms | service CPU ms | ratio |\n|---|--:|--:|--:|--:|--:|--:|`,
  )
  const only = values.only.split(',').filter((name) => name !== '')
  for (const { name } of EFFECTS.filter.filter((filter) => only.length === 0 || only.includes(filter.name))) {
    const bare = BARE[name] ?? ((same: Sharp) => same)
    const url = `${api.baseUrl}/v1/image/filters/${name}`
    const asked = { url, key: keys.linked, picture, atOnce: CONCURRENCY }
    try {
      // Until all workers have started and know the way.
      await byCaller({ ...asked, rounds: workers * CONCURRENCY })
      const own = await measure(rounds, () => byCaller({ ...asked, rounds }))
      const library = await measure(rounds, () => byHand(rounds, () => bare(sharp(picture)).png().toBuffer()))
      const compared = name in BARE ? name : `${name} (re-encoding)`
      const rates = [library.perSecond, own.perSecond].map((rate) => rate.toFixed(1))
      const costs = [library.cpuMs, own.cpuMs].map((ms) => ms.toFixed(1))
      const ratios = [own.perSecond / library.perSecond, library.cpuMs / own.cpuMs].map((ratio) => ratio.toFixed(2))
      console.log(`| ${compared} | ${rates.join(' | ')} | ${ratios[0]} | ${costs.join(' | ')} | ${ratios[1]} |`)
    } catch (error) {
      console.log(`| ${name} | ${String(error).slice(0, 160)} | | | | | |`)
    }
  }
}
caller.disconnect()
await api.close()
await images.close()
