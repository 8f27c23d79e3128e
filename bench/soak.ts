/**
 * Many players at once, to whom programs, members and Discord do anything that comes to mind, for a long time. Afterwards
 * nothing may be left of it: no memory, no ffmpeg, no player that is stuck, no event out of order, no call in Discord.
 * `npm run soak -- --minutes 20 --players 30 --seed 1`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { readConfig } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { startService } from '../service/service.ts'
import { createMemoryMeter, inMib, MIB, type MemoryUse } from './soak/memory.ts'
import { watchOrder } from './soak/order.ts'
import { startOutside } from './soak/outside.ts'
import { inviteParty, request } from './soak/party.ts'
import type { Party } from './soak/actions.ts'
import { watchForStuck } from './soak/stuck.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    players: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const minutes = Number(values.minutes)
const MOST_GROWN_BYTES = 20 * MIB
/** Caches fill and code is compiled before the first measurement. */
const WARM_UP_MS = Math.max(20_000, Math.min(120_000, minutes * 6000))
const SETTLE_MS = 4000
const MOST_ERRORS_SHOWN = 10
const MOST_LEAVING_S = 65

const folder = mkdtempSync(join(tmpdir(), 'bandstand-soak-'))
const errors: string[] = []
const logged = new Writable({
  write(chunk: Buffer, _, done) {
    errors.push(chunk.toString().trim())
    done()
  },
})
const meter = createMemoryMeter()
const config = readConfig({
  DATA_DIR: folder,
  PORT: '0',
  SANDBOX: 'on',
  SANDBOX_PORT: '0',
  ENVIRONMENT: 'soak',
  RENDER_CONCURRENCY: '0',
  MUSIC_SOURCES: 'library,http',
  EGRESS_ALLOW_HOSTS: '127.0.0.1',
  PLAYER_IDLE_SECONDS: '15',
  PLAYER_ALONE_SECONDS: '8',
})
const service = await startService(config, createLog('error', logged))
const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))
const library = config.music.demoDir
const mp3 = readdirSync(library).find((name) => name.endsWith('.mp3'))
const outside = await startOutside(join(library, mp3 ?? ''))

const order = watchOrder()
const socket = new WebSocket(`${demo.baseUrl.replace('http', 'ws')}/v1/events`, {
  headers: { authorization: `Bearer ${demo.keys.linked}` },
})
const socketCloses: number[] = []
socket.on('message', (data: Buffer) => order.hear(JSON.parse(data.toString())))
socket.on('close', (code) => socketCloses.push(code))

const party = await inviteParty({
  baseUrl: demo.baseUrl,
  sandboxUrl: demo.sandboxUrl,
  key: demo.keys.linked,
  botId: demo.botId,
  players: Number(values.players),
  seed: Number(values.seed),
  queries: [...demo.queries, ...demo.queries, ...outside.links],
})
console.log(`${values.players} players, ${minutes} minutes, seed ${values.seed}; ${WARM_UP_MS / 1000} s to warm up`)
const watch = watchForStuck(party)
await party.celebrate(performance.now() + WARM_UP_MS)
const before = await rest(party)
console.log(`at the start: ${describe(before)}`)

const endMs = performance.now() + minutes * 60_000
const celebrating = party.celebrate(endMs)
while (performance.now() < endMs) {
  await sleep(Math.min(60_000, Math.max(endMs - performance.now(), 1)))
  const { data } = await party.get('/v1/music/players')
  const use = process.memoryUsage()
  const left = Math.ceil((endMs - performance.now()) / 60_000)
  console.log(`${left} min left: ${data.length} players, ${ffmpegs().length} ffmpeg, resident ${inMib(use.rss)}`)
}
await celebrating
const after = await rest(party)
console.log(`at the end:   ${describe(after)}`)
await watch.close()

// A bot may send Discord two words a second: those that leave thirty calls may have to wait.
let inVoice = await whereShown()
for (let waited = 0; inVoice.length > 0 && waited < MOST_LEAVING_S; waited += 1) {
  await sleep(1000)
  inVoice = await whereShown()
}
const left = ffmpegs()
console.log(`events: ${JSON.stringify(order.counts)}`)
for (const [deed, counts] of Object.entries(party.answers))
  console.log(`  ${deed.padEnd(18)} ${JSON.stringify(counts)}`)

const checks: readonly (readonly [string, boolean, readonly string[]])[] = [
  [`${watch.mostPlayers()} players at once`, watch.mostPlayers() >= Number(values.players) / 3, []],
  [
    `held memory grew by ${inMib(after.heldBytes - before.heldBytes)}, at most ${inMib(MOST_GROWN_BYTES)}`,
    after.heldBytes - before.heldBytes <= MOST_GROWN_BYTES,
    [],
  ],
  ['no ffmpeg is left', left.length === 0, left],
  ['no player was stuck', watch.stuck.length === 0, watch.stuck],
  ['every track had its events in order', order.wrong.length === 0, order.wrong],
  ['every track that started ended', order.unfinished().length === 0, order.unfinished()],
  ['Discord shows the bot nowhere', inVoice.length === 0, inVoice],
  ['the events socket stayed open', socketCloses.length === 0, socketCloses.map(String)],
  ['no request was a fault of ours', party.faults.length === 0, party.faults],
  ['nothing was logged as an error', errors.length === 0, errors],
]
for (const [what, isSo, details] of checks) {
  console.log(`${isSo ? 'ok  ' : 'FAIL'} ${what}`)
  for (const detail of details.slice(0, MOST_ERRORS_SHOWN)) console.log(`       ${detail}`)
}
socket.close()
await outside.close()
await service.close()
meter.close()
rmSync(folder, { recursive: true, force: true })
const isSound = checks.every(([, isSo]) => isSo)
console.log(isSound ? 'VERDICT: sound' : 'VERDICT: not sound')
process.exitCode = isSound ? 0 : 1

/** The guilds in which Discord shows the bot in a channel. */
async function whereShown(): Promise<readonly string[]> {
  const shown: string[] = []
  for (const { guildId } of party.guilds) {
    const response = await request(`${demo.sandboxUrl}/sandbox/guilds/${guildId}/members/${demo.botId}/voice`, {})
    if ((await response.text()) !== 'null') shown.push(guildId)
  }
  return shown
}

/** Everybody goes home; then what is held is what was not let go of. */
async function rest(it: Party): Promise<MemoryUse> {
  await it.goHome()
  const endAtMs = performance.now() + 15_000
  while ((await it.get('/v1/music/players')).data.length > 0 && performance.now() < endAtMs) await sleep(100)
  await sleep(SETTLE_MS)
  return meter.measure()
}

function describe({ heldBytes, residentBytes, threads }: MemoryUse): string {
  return `held ${inMib(heldBytes)} in ${threads + 1} threads, resident ${inMib(residentBytes)}`
}

/** The ffmpegs that this process started, by their command lines. */
function ffmpegs(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [readOr(`/proc/${pid}/stat`), readOr(`/proc/${pid}/cmdline`)] as const)
    .filter(([stat]) => stat.includes('(ffmpeg)') && stat.replace(/^.*\) \S+ /s, '').startsWith(`${process.pid} `))
    .map(([, line]) => line.replaceAll('\0', ' '))
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended in between.
    return ''
  }
}
