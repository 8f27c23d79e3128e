import type { PacketReport } from 'bandstand-sandbox/voice'
import { openPlaces, play, type Place } from '../../stage/places.ts'
import { TRACKS } from './music.ts'
import { until, type Service, type StartOptions, type Tools } from './tools.ts'

/** Settings for experiments with many players: no one need listen, and Opus passes through untouched. */
export const PLAYING_ALONE = {
  PLAYER_ALONE_SECONDS: '86400',
  LOUDNESS: 'off',
  RENDER_CONCURRENCY: '0',
}

/** A player in a guild of its own. */
export interface Playing extends Place {
  /** Packets that arrived from it by UDP since the last reset. */
  packets(options?: { readonly reset: boolean }): Promise<PacketReport>
  /** Null: there is none any more. */
  positionMs(): Promise<number | null>
  /** Causes an event of its bot in Discord, such as `/voice-socket`. */
  happen(path: string, body: unknown): Promise<unknown>
}

/** Starts players, each heard in a guild of its own. */
export async function openPlayers(tools: Tools, service: Service, count: number, query: string): Promise<Playing[]> {
  const discord = await tools.discord()
  const places = await openPlaces(service, service.botId, count)
  const playing = places.map(({ guildId, channelId }): Playing => {
    const guild = `/v1/music/guilds/${guildId}`
    const member = `/sandbox/guilds/${guildId}/members/${service.botId}`
    return {
      guildId,
      channelId,
      packets: async ({ reset } = { reset: false }) =>
        (await discord.control('GET', `${member}/packets?reset=${reset}`)).body,
      positionMs: async () => (await service.call('GET', `${guild}/player`)).body.data?.positionMs ?? null,
      happen: (path, body) => discord.control('POST', member + path, body),
    }
  })
  await Promise.all(playing.map((one) => play(service, one, query)))
  await Promise.all(
    playing.map((one) => until('a player is heard', async () => (await one.packets()).packets > 10, 20_000)),
  )
  return playing
}

/** Whether all bots of the service are connected to Discord. */
export async function isConnected(service: Service): Promise<boolean> {
  const { body } = await service.call('GET', '/readyz')
  return body.parts.every(({ name, state }: any) => name !== 'bots' || state === 'ok')
}

/** One number of the service's own, all its labels together. */
export async function metric(service: Service, name: string): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
  const lines = text.matchAll(new RegExp(`^(?:bandstand_)?${name}(?:{[^}]*})? ([\\d.e+-]+)$`, 'gm'))
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
}

/** Formats the smallest and the largest number. */
export function range(numbers: readonly number[]): string {
  const sorted = numbers.map(Math.round).toSorted((a, b) => a - b)
  return sorted[0] === sorted.at(-1) ? String(sorted[0] ?? 'none') : `${sorted[0]} to ${sorted.at(-1)}`
}

/** A service that plays the noise to someone in the demo guild, and is heard. */
export async function startPlaying(tools: Tools, { env, ...options }: StartOptions = {}) {
  const service = await tools.service({ env: { ...PLAYING_ALONE, ...env }, ...options })
  const ear = await (await tools.discord()).listen()
  await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
  await until('it is heard', () => ear.count > 100, 15_000)
  return { service, ear, sound: await measureSound(tools, service) }
}

/** Measures how the sound of the demo guild's player arrives at Discord from now on; the runner's own work does not show in it. */
async function measureSound(tools: Tools, service: Service): Promise<{ gapMs(): Promise<number> }> {
  const discord = await tools.discord()
  const path = `/sandbox/guilds/${service.guildId}/members/${service.botId}/packets`
  await discord.control('GET', `${path}?reset=true`)
  return {
    async gapMs() {
      const { longestSilenceMs, lastAtMs } = (await discord.control('GET', path)).body
      return Math.round(Math.max(longestSilenceMs, Date.now() - (lastAtMs ?? 0)))
    },
  }
}
