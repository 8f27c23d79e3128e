/**
 * Measures how long the players of one bot are away when a service is killed: it plays in many guilds of the stand-in
 * Discord, which outlives it and takes 120 payloads a minute over each connection of a bot; `kill -9`; a second start;
 * when does each sound? Meanwhile a caller plays in one more guild, and must be let in or get a time to retry.
 *
 *     npm run bench:restore -- [--players 300] [--shards 1] [--log FOLDER]     (keeps what the service wrote)
 *
 * With `--players 1` it is how long one is away, which the start of the service decides.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import type { PacketReport } from 'bandstand-sandbox/voice'
import { shardOf } from '../../lib/sharing/shard-of.ts'
import { startDiscord, type Discord } from './faults/discord.ts'
import { makeLibrary, TRACKS } from './faults/music.ts'
import { makeService, type Service } from './faults/service.ts'
import { openPlaces, type Place } from '../stage/places.ts'
import { ownAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '300' },
    shards: { type: 'string', default: '1' },
    log: { type: 'string' },
  },
})
const PLAYERS = Number(values.players)
const SHARDS = Number(values.shards)
/** Discord's limit for each connection of a bot. */
const PAYLOADS_PER_MINUTE = 120
/** The interval at which Discord lets the connections of a bot log in. */
const LOGIN_SECONDS = 5
const TIMES = 1.1
/** Seconds from the start of the process to the first join: a login and the handshake of the first player. */
const START_SECONDS = PLAYERS === 1 ? 3 : 15
/** The interval of looks at all of them. */
const LOOK_MS = PLAYERS === 1 ? 20 : 500
/** The measuring time beyond the goal. */
const PATIENCE_SECONDS = 120
/** Players with two listeners each, which are restored first; the others have one. */
const FAVOURITES = PLAYERS / 3

/** A member who is shown in the channel, without a client: many of them would hear more than this machine can send. */
async function sit(discord: Discord, { guildId, channelId }: Place, members: number): Promise<void> {
  for (let i = 0; i < members; i += 1) {
    const { body } = await discord.control('POST', `/sandbox/guilds/${guildId}/members`, { name: `listener ${i}` })
    const connect = `/sandbox/guilds/${guildId}/channels/${channelId}/connect`
    await discord.control('POST', connect, { userId: body.id })
  }
}

/** Seconds from now at which each was heard, in the order of the places; Infinity where it never was. */
async function watch(discord: Discord, botId: string, places: readonly Place[], untilS: number): Promise<number[]> {
  const packets = async ({ guildId }: Place, query = ''): Promise<number> => {
    const path = `/sandbox/guilds/${guildId}/members/${botId}/packets${query}`
    return ((await discord.control('GET', path)).body as PacketReport).packets
  }
  for (const place of places) await packets(place, '?reset=true')
  const startMs = performance.now()
  const heard = places.map(() => Infinity)
  while (heard.includes(Infinity) && performance.now() - startMs < untilS * 1000) {
    for (const [at, place] of places.entries())
      if (heard[at] === Infinity && (await packets(place)) > 10) heard[at] = (performance.now() - startMs) / 1000
    await sleep(LOOK_MS)
  }
  return heard
}

/** One player's record, copied to the other guilds as if it had played there: a plan has room for 100 players. */
function copyPlayer({ dataDir, botId }: Service, places: readonly Place[]): void {
  const database = new Database(join(dataDir, 'bandstand.db'))
  try {
    const row = database.prepare('SELECT * FROM player WHERE bot_id = ?').get(botId) as Record<string, unknown>
    const columns = Object.keys(row)
    const named = columns.map((name) => `@${name}`)
    const insert = database.prepare(
      `INSERT OR REPLACE INTO player (${columns.join(', ')}) VALUES (${named.join(', ')})`,
    )
    for (const { guildId, channelId } of places) insert.run({ ...row, guild_id: guildId, channel_id: channelId })
  } finally {
    database.close()
  }
}

/** Plays in a guild of its own, and retries as the answers ask, until it is let in. @returns the answers. */
async function call(service: Service, { guildId, channelId }: Place): Promise<string[]> {
  const answers: string[] = []
  for (let i = 0; i < 40; i += 1) {
    const body = { query: TRACKS.noise, channelId }
    const answer = await service.call('POST', `/v1/music/guilds/${guildId}/play`, { body })
    const { status, headers } = answer
    const after = headers.get('retry-after')
    const why = status < 400 ? '' : ` ${answer.body?.error?.message}`
    answers.push(after === null ? `${status}${why}` : `${status} (Retry-After ${after})`)
    if (status !== 503) break
    await sleep(Number(after ?? 5) * 1000)
  }
  return answers
}

/** A bot with more shards than the demo's, in its place. */
async function withShards(discord: Discord): Promise<Discord> {
  if (SHARDS === 1) return discord
  const { body: bot } = await discord.control('POST', '/sandbox/applications', { name: 'Restored', shards: SHARDS })
  return { ...discord, demo: { ...discord.demo, applicationId: bot.id, botToken: bot.token } }
}

/** A service that was stopped, with a saved player in each of the places. */
async function fill(service: Service, places: readonly Place[]): Promise<void> {
  const [first] = places
  if (!first) throw new Error('At least one player.')
  await service.start()
  const body = { query: TRACKS.noise, channelId: first.channelId }
  const { status } = await service.call('POST', `/v1/music/guilds/${first.guildId}/play`, { body })
  if (status !== 200) throw new Error(`play answered ${status}`)
  await service.call('PATCH', `/v1/music/guilds/${first.guildId}/player`, { body: { loop: 'track' } })
  await service.kill('SIGTERM')
  copyPlayer(service, places)
}

function mean(values: readonly number[]): string {
  return (values.reduce((sum, one) => sum + one, 0) / values.length).toFixed(1)
}

/** Reports the times of the first sound, by number of listeners. */
function tell(how: string, seconds: readonly number[]): void {
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)
  const [many, few] = [mean(seconds.slice(0, FAVOURITES)), mean(seconds.slice(FAVOURITES))]
  console.log(`${how}: heard after ${at(0)} s (first), ${at(0.5)} s (median), ${at(0.95)} s (95 %), ${at(1)} s (last)`)
  console.log(`  with two listeners after ${many} s, with one after ${few} s (mean)`)
}

async function measure(how: string, service: Service, { discord, places }: { discord: Discord; places: Place[] }) {
  const perShard = Math.ceil(PLAYERS / SHARDS)
  const byDiscordS = (Math.ceil(perShard / PAYLOADS_PER_MINUTE) - 1) * 60 + (SHARDS - 1) * LOGIN_SECONDS
  const limitS = byDiscordS * TIMES + START_SECONDS
  const guests = places.slice(PLAYERS)
  const watching = watch(discord, service.botId, places.slice(0, PLAYERS), limitS + PATIENCE_SECONDS)
  await service.start()
  for (const guest of guests) console.log(`a caller meanwhile: ${(await call(service, guest)).join(', ')}`)
  const seconds = await watching
  tell(how, seconds)
  const what = `until all of ${PLAYERS} players of ${SHARDS} ${SHARDS === 1 ? 'shard' : 'shards'} sound ${how}`
  report({ what, own: Math.max(...seconds), unit: ' s', beside: null, goal: ownAtMost(Math.round(limitS)) })
  const lies = service.everything().split("Discord didn't respond when").length - 1
  report({ what: `joins refused as if Discord were silent`, own: lies, unit: '', beside: null, goal: ownAtMost(0) })
  if (values.log !== undefined) writeFileSync(join(values.log, `${how.replaceAll(' ', '-')}.log`), service.output())
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-restore-'))
const discord = await withShards(await startDiscord(makeLibrary(folder), {}))
const env = { PLAYER_ALONE_SECONDS: '86400', RENDER_CONCURRENCY: '0' }
const service = await makeService({ discord, libraryDir: folder, env })
try {
  const places = await openPlaces(service, service.botId, PLAYERS + 1)
  // The caller's is one of the first shard: later the project has more players than its plan lets it begin.
  const ofCaller = places.findLastIndex(({ guildId }) => shardOf(guildId, SHARDS) === 0)
  places.push(...places.splice(ofCaller, 1))
  for (const [at, place] of places.entries()) await sit(discord, place, at < FAVOURITES ? 2 : 1)
  await fill(service, places.slice(0, PLAYERS))
  await measure('after a stop', service, { discord, places: places.slice(0, PLAYERS) })
  // Let a minute pass, so that its payloads no longer count.
  await sleep(60_000)
  await service.kill('SIGKILL')
  await measure('after kill -9', service, { discord, places })
} finally {
  await service.kill('SIGKILL')
  await discord.close()
  service.dispose()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
