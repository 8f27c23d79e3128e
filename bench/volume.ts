/**
 * From `PATCH …/player` with another volume to its answer, and to the first packet with that level at a member's own voice
 * client, which decrypts and decodes each: for Opus that passes through and for an MP3 that is encoded.
 * `npm run bench:volume [changes]`
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDecoder } from 'libopus-wasm'
import { connectMember } from 'bandstand-sandbox/voice'
import { startDiscord, type Discord } from './faults/discord.ts'
import { makeLibrary, TRACKS } from './faults/music.ts'
import { makeService, type Service } from './faults/service.ts'
import { LAUNCHER } from './process.ts'
import { median, ownAtMost, report } from './report.ts'

const CHANGES = Number(process.argv[2] ?? 20)
/** A quarter of the amplitude is 12 dB less; in between is where it has changed, for noise, too. */
const VOLUMES = [25, 100] as const
const MIDDLE = 0.5
/** By then the track is read at that volume, and its level is known. */
const SETTLE_MS = 1500
const PATIENCE_MS = 3000
const GOAL_MS = 200

interface Level {
  readonly atMs: number
  /** Root mean square of a frame. */
  readonly loudness: number
}

interface Listener {
  readonly levels: Level[]
  /** Resolves with each frame. */
  next(): Promise<void>
  close(): void
}

async function listen(discord: Discord): Promise<Listener> {
  const { demo, certificate } = discord
  const guild = `/sandbox/guilds/${demo.guildId}`
  const { body: member } = await discord.control('POST', `${guild}/members`, { name: 'Listener' })
  const connect = `${guild}/channels/${demo.voiceChannelId}/connect`
  const { body: seat } = await discord.control('POST', connect, { userId: member.id })
  const voice = await connectMember({ ...seat, certificate })
  const decoder = await createDecoder({ sampleRate: 48_000, channels: 2 })
  const levels: Level[] = []
  const heard = new EventTarget()
  voice.onOpus((_, opus) => {
    const values = decoder.decodeFloat(opus)
    const loudness = Math.sqrt(values.reduce((total, one) => total + one * one, 0) / values.length)
    levels.push({ atMs: performance.now(), loudness })
    heard.dispatchEvent(new Event('frame'))
  })
  return {
    levels,
    next: async () => void (await once(heard, 'frame', { signal: AbortSignal.timeout(PATIENCE_MS) })),
    close() {
      voice.close()
      decoder.free()
    },
  }
}

interface Times {
  readonly answered: number[]
  readonly sounded: number[]
}

async function change(service: Service, listener: Listener, volume: number, times: Times): Promise<void> {
  const { levels } = listener
  const before = levels.slice(-25).reduce((sum, { loudness }) => sum + loudness / 25, 0)
  const isQuieter = volume === VOLUMES[0]
  const isChanged = ({ loudness }: Level) => (isQuieter ? loudness < before * MIDDLE : loudness > before / MIDDLE)
  const from = levels.length
  const startMs = performance.now()
  await service.music('PATCH', '/player', { volume })
  times.answered.push(performance.now() - startMs)
  for (;;) {
    const first = levels.slice(from).find(isChanged)
    if (first) {
      times.sounded.push(first.atMs - startMs)
      return
    }
    await listener.next()
  }
}

async function measure(service: Service, listener: Listener, name: string, query: string): Promise<void> {
  await service.music('POST', '/play', { query, channelId: service.channelId })
  await service.music('PATCH', '/player', { loop: 'track', volume: 100 })
  await sleep(2 * SETTLE_MS)
  const times: Times = { answered: [], sounded: [] }
  for (let i = 0; i < CHANGES; i++) {
    await change(service, listener, VOLUMES[i % VOLUMES.length] ?? 100, times)
    await sleep(SETTLE_MS)
  }
  for (const what of ['answered', 'sounded'] as const) {
    const list = times[what]
    const sorted = list.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0))
    console.log(`${name}, ${what}: median ${median(list).toFixed(0)} ms (${sorted.join(', ')})`)
  }
  const beside = { whom: 'answered', value: Math.max(...times.answered) }
  const what = `a change of volume to the first packet with it, ${name}, longest of ${CHANGES}`
  report({ what, own: Math.max(...times.sounded), unit: ' ms', beside, goal: ownAtMost(GOAL_MS) })
  await service.music('DELETE', '/player')
}

const libraryDir = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
const discord = await startDiscord(makeLibrary(libraryDir), {})
const service = await makeService({ discord, libraryDir, env: { RENDER_CONCURRENCY: '0' }, execPath: LAUNCHER })
try {
  await service.start()
  const listener = await listen(discord)
  try {
    await measure(service, listener, 'Opus passed through', TRACKS.noise)
    await measure(service, listener, 'an MP3', TRACKS.tone)
  } finally {
    listener.close()
  }
} finally {
  if (service.isRunning) await service.kill('SIGTERM')
  service.dispose()
  await discord.close()
  rmSync(libraryDir, { recursive: true, force: true })
}
