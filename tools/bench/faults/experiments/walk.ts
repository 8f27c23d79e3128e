import { INSPECTED } from '../../inspect.ts'
import { experiment } from '../experiment.ts'
import { openInspector } from '../inspector.ts'
import { isConnected, PLAYING_ALONE, range } from '../players.ts'
import { sleep, until, type Tools } from '../tools.ts'
import { inspectGuilds, openWalkGuilds, planWalk, runBurst, type Step, type Walk, type WalkState } from '../walk.ts'

const GUILDS = 6
const PER_BURST = 8
/** Short, to detect a half-open connection within seconds. */
const HEARTBEAT_MS = 1000
const CONNECTED_WITHIN_MS = 30_000
const SETTLED_WITHIN_MS = 10_000
/** Time to see whether a fault is ever mended: for the report alone. */
const MENDED_WITHIN_MS = 80_000
/** Discord takes 120 payloads a minute: a burst in six seconds stays below. */
const BURST_EVERY_MS = 6000

async function walkOnce(tools: Tools, walk: Walk, seed: number): Promise<void> {
  const bursts = planWalk(seed, tools.material.operations, { guilds: GUILDS, perBurst: PER_BURST })
  const tookMs: number[] = []
  let heard = 0
  for (const [index, burst] of bursts.entries()) {
    const startMs = performance.now()
    await runBurst(walk, burst)
    await until('the bot is connected', () => isConnected(walk.service), CONNECTED_WITHIN_MS)
    const settled = await settle(walk, SETTLED_WITHIN_MS)
    heard += settled.heard
    if (settled.faults.length === 0) tookMs.push(settled.tookMs)
    else
      tools.must(
        false,
        `seed ${seed}, burst ${index} (${describe(burst)}): ${await describeLate(walk, settled.faults)}`,
      )
    await sleep(Math.max(0, startMs + BURST_EVERY_MS - performance.now()))
  }
  const count = `${tools.material.operations} operations in ${bursts.length} bursts`
  tools.must(
    walk.wrongAnswers.length === 0 && heard > bursts.length,
    `seed ${seed}: ${count}, settled after ${range(tookMs)} ms, ${heard} players heard ${walk.wrongAnswers.splice(0).join(', ')}`,
  )
}

/** Waits until no fault is left. @returns the last state, and how long that took. */
async function settle(walk: Walk, withinMs: number): Promise<WalkState & { readonly tookMs: number }> {
  const startMs = performance.now()
  for (;;) {
    const state = await inspectGuilds(walk)
    const tookMs = performance.now() - startMs
    if (state.faults.length === 0 || tookMs > withinMs) return { ...state, tookMs }
  }
}

async function describeLate(walk: Walk, faults: readonly string[]): Promise<string> {
  const later = await settle(walk, MENDED_WITHIN_MS)
  const end = later.faults.length === 0 ? `gone ${Math.round(later.tookMs / 1000)} s later` : 'still so much later'
  return `${faults.join(', ')}; ${end}`
}

function describe(burst: readonly Step[]): string {
  return burst.map(({ name, guild }) => `${name} ${guild}`).join(', ')
}

/** Everything at once, at random. */
export const WALK = [
  experiment('35', {
    title: `a random walk: members, programs, the gateway, voice servers and the audio thread do ${PER_BURST} things at once in ${GUILDS} guilds, again and again`,
    passes:
      'within 10 s after each burst with the gateway back, every guild is heard or left, and Discord shows what the API shows',
    limitMs: 3_600_000,
    async run(tools) {
      await tools.discord({ heartbeatMs: HEARTBEAT_MS })
      const service = await tools.service({ env: { ...PLAYING_ALONE, ...INSPECTED } })
      const inspector = tools.own(await openInspector(service), (it) => it.close())
      const guilds = await openWalkGuilds(tools, service, GUILDS)
      const walk: Walk = { tools, service, inspector, guilds, wrongAnswers: [] }
      for (const seed of tools.material.seeds) await walkOnce(tools, walk, seed)
      inspector.close()
    },
  }),
]
