/**
 * Measures the time from `POST play` to the first audio packet that the stand-in's voice server receives, with the bot
 * in the channel already and with the bot joining; for tracks that pass through, for those that are encoded the first
 * time, and for the same ones when they are kept.
 * `npm run bench:start-latency [rounds]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, startService, type RunningService } from '../../test/support/service.ts'
import { play } from '../stage/places.ts'
import { median, ownAtMost, report } from './report.ts'

/** Time to measure and encode a short track on a busy machine. */
const KEEPING_MS = 4000
const ROUNDS = Number(process.argv[2] ?? 15)

interface Stage {
  readonly service: RunningService
  readonly userId: string
}

async function firstPacketMs({ service, userId }: Stage, query: string): Promise<number> {
  const { guildId, voiceChannelId } = service.demo
  const path = `/sandbox/guilds/${guildId}/members/${userId}/packets`
  await service.sandbox('GET', `${path}?reset=true`)
  const startMs = performance.timeOrigin + performance.now()
  await play(service, { guildId, channelId: voiceChannelId }, query)
  const report = await eventually(
    async () => (await service.sandbox('GET', path)).body,
    ({ firstAtMs }) => firstAtMs !== null,
  )
  return report.firstAtMs - startMs
}

async function rounds(stage: Stage, query: string, reset: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    await reset()
    // The silence after a track goes out first.
    await sleep(400)
    times.push(await firstPacketMs(stage, query))
  }
  return times.toSorted((a, b) => a - b)
}

function print(name: string, times: readonly number[]): void {
  const longest = Math.max(...times)
  console.log(`${name.padEnd(36)} median ${median(times).toFixed(0)} ms, longest ${longest.toFixed(0)} ms`)
}

/** The slowest of the tracks counts. */
function tell(firsts: readonly number[], inChannel: readonly number[], joining: readonly number[]): void {
  const [first, kept, joined] = [firsts, inChannel, joining].map((times) => Math.max(...times)) as [
    number,
    number,
    number,
  ]
  const what = 'from `POST play` to the first packet'
  report({ what: `${what}, a track played before`, own: kept, unit: ' ms', beside: null, goal: ownAtMost(60) })
  const beside = { whom: 'played before', value: kept }
  report({ what: `${what}, a track that is new, joining`, own: first, unit: ' ms', beside, goal: ownAtMost(800) })
  report({ what: `${what}, played before, joining`, own: joined, unit: ' ms', beside, goal: ownAtMost(800) })
}

const service = await startService({ env: { PLAYER_ALONE_SECONDS: '86400' } })
try {
  const { guildId } = service.demo
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const stage = { service, userId: applications[0].id }
  const skip = () => service.call('POST', `/v1/music/guilds/${guildId}/skip`)
  const leave = () => service.call('DELETE', `/v1/music/guilds/${guildId}/player`)
  const firsts: number[] = []
  const [inChannel, joining]: [number[], number[]] = [[], []]
  for (const query of service.demo.queries) {
    const first = await firstPacketMs(stage, query)
    print(`${query}, for the first time`, [first])
    // Kept by the time the rounds begin, or passed through unchanged.
    await sleep(KEEPING_MS)
    const [there, coming] = [await rounds(stage, query, skip), await rounds(stage, query, leave)]
    print(`${query}, in the channel`, there)
    print(`${query}, joining`, coming)
    firsts.push(first)
    inChannel.push(median(there))
    joining.push(median(coming))
    await leave()
    await sleep(400)
  }
  tell(firsts, inChannel, joining)
} finally {
  await service.stop()
}
