import { admin } from '../../../test/support/admin.ts'
import { fetchJson } from '../../../test/support/service.ts'
import { openEvents } from '../../../test/support/socket.ts'
import { openPlaces, play } from '../../places.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { isConnected, PLAYING_ALONE, startPlaying } from '../players.ts'
import type { Discord } from '../discord.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

/** So that a missing answer shows within seconds; Discord's own 41 s would take minutes. */
const HEARTBEAT_MS = 2000

interface Trouble {
  readonly name: string
  readonly deed: Readonly<Record<string, unknown>>
}

const closing = (code: number): Trouble => ({ name: String(code), deed: { action: 'close', code } })

/** The voice connection continues, whether the library resumes the session or, after some of them, logs in again. */
const RESUMED: readonly Trouble[] = [
  { name: 'op 7', deed: { action: 'reconnect' } },
  { name: 'op 9 (true)', deed: { action: 'invalidate', resumable: true } },
  ...[4000, 4001, 4002, 4003, 4005, 4008].map(closing),
  { name: 'TCP cut', deed: { action: 'drop' } },
  { name: 'no answer to heartbeats', deed: { action: 'deaf' } },
  { name: 'half-open TCP', deed: { action: 'frozen' } },
]
/** A new session: Discord has put the bot out of its channels. */
const BEGUN_ANEW: readonly Trouble[] = [
  { name: 'op 9 (false)', deed: { action: 'invalidate', resumable: false } },
  ...[4007, 4009].map(closing),
]
const UNHEARD_MS = 400
/** Discord wants up to five seconds before the next login, and the channel is entered again. */
const SILENT_MS = 12_000
const BACK_WITHIN_MS = 20_000
const FATAL = [4004, 4010, 4011, 4012, 4013, 4014] as const

function losses(service: Service): number {
  return service.output().split('"gateway disconnected"').length - 1
}

/** Does it, and waits until the bot has noticed and is back. */
async function endure(service: Service, discord: Discord, { name, deed }: Trouble): Promise<void> {
  const before = losses(service)
  await discord.control('POST', `/sandbox/applications/${service.botId}/gateway`, deed)
  await until(`${name} is noticed`, () => losses(service) > before, BACK_WITHIN_MS)
  await until(`${name} is over`, () => isConnected(service), BACK_WITHIN_MS)
}

/** How many logins Discord would still take from a bot today. */
async function loginsLeft(discord: Discord, token: string): Promise<number> {
  const { body } = await fetchJson(`${discord.url}/api/v10/gateway/bot`, 'GET', undefined, {
    authorization: `Bot ${token}`,
  })
  return body.session_start_limit.remaining
}

/** A further bot of the service's project, connected. */
async function addBot(tools: Tools, service: Service, name: string): Promise<{ id: string; token: string }> {
  const discord = await tools.discord()
  const { id, token } = (await discord.control('POST', '/sandbox/applications', { name, guildIds: [] })).body
  // That is the last thing it does on its own.
  const settled = () => service.output().split('"commands registered"').length
  const before = settled()
  const env = { DISCORD_API_URL: `${discord.url}/api` }
  const { code, stderr } = await admin(['bot', 'add', '--project', service.projectId, '--json'], {
    dataDir: service.dataDir,
    stdin: token,
    env,
  })
  if (code !== 0) throw new Error(stderr)
  await until(`${name} is connected`, () => settled() > before, BACK_WITHIN_MS)
  return { id, token }
}

/** What Discord's gateway does. */
export const GATEWAY = [
  experiment({
    number: '11a',
    title:
      'the gateway asks for a reconnect, invalidates, closes with each code that may be resumed, is cut, answers no heartbeat, is half open',
    passes:
      'the bot is back each time within 20 s with one login at most, and no listener hears anything of it (no gap of 0.4 s)',
    limitMs: 180_000,
    async run(tools) {
      const discord = await tools.discord({ heartbeatMs: HEARTBEAT_MS })
      const { service, ear } = await startPlaying(tools)
      for (const trouble of RESUMED) {
        const left = await loginsLeft(discord, discord.demo.botToken)
        const fromMs = performance.now()
        await endure(service, discord, trouble)
        const backMs = Math.round(performance.now() - fromMs)
        await sleep(300)
        const gapMs = ear.longestGapMs(fromMs)
        const logins = left - (await loginsLeft(discord, discord.demo.botToken))
        const how = logins === 0 ? 'resumed' : `${logins} login`
        tools.must(
          gapMs < UNHEARD_MS && logins <= 1,
          `${trouble.name}: ${how} after ${backMs} ms, longest gap ${gapMs} ms`,
        )
      }
    },
  }),
  experiment({
    number: '11b',
    title: 'the session with Discord is over: op 9 (false), close codes 4007 and 4009',
    passes: 'the bot logs in again, rejoins its channel and resumes at its position within 12 s',
    limitMs: 120_000,
    async run(tools) {
      const discord = await tools.discord()
      const { service, ear } = await startPlaying(tools)
      for (const trouble of BEGUN_ANEW) {
        const [fromMs, lastMs] = [performance.now(), ear.last()?.positionMs ?? 0]
        await endure(service, discord, trouble)
        const count = ear.count
        await until('it is heard again', () => ear.count > count + 50, BACK_WITHIN_MS)
        const gapMs = ear.longestGapMs(fromMs)
        const jumpMs = (ear.last()?.positionMs ?? NaN) - lastMs - (performance.now() - fromMs - gapMs)
        tools.must(
          gapMs < SILENT_MS && Math.abs(jumpMs) < 1500,
          `${trouble.name}: silent for ${gapMs} ms, then ${Math.round(jumpMs)} ms off its place`,
        )
      }
    },
  }),
  experiment({
    number: '11c',
    title:
      'Discord closes with a code that no reconnect mends: 4004 (token revoked), 4010 to 4014, each for a bot of its own',
    passes: 'one `botStopped` each, `unauthorized` for 4004; none of them logs in again; the other bot plays on',
    limitMs: 120_000,
    async run(tools) {
      const discord = await tools.discord()
      const { service, ear } = await startPlaying(tools)
      const bots: { code: number; id: string; token: string }[] = []
      for (const code of FATAL) bots.push({ code, ...(await addBot(tools, service, `Bot ${code}`)) })
      const told = await openEvents(service.baseUrl, service.keys.unlinked, '?events=botStopped')
      tools.own(told, (it) => it.close())
      const fromMs = performance.now()
      for (const { id, code } of bots) {
        await discord.control('POST', `/sandbox/applications/${id}/gateway`, { action: 'close', code })
      }
      const stopped = () => told.messages.filter(({ type }) => type === 'botStopped')
      await until('all are told', () => stopped().length >= bots.length, 10_000)
      await sleep(4000)
      const reasons = bots.map(
        ({ code, id }) =>
          `${code} ${stopped()
            .filter(({ botId }) => botId === id)
            .map(({ reason }) => reason)
            .join(' and ')}`,
      )
      const isAsMeant = reasons.every(
        (one) => one === (one.startsWith('4004') ? '4004 unauthorized' : `${one.slice(0, 4)} disconnected`),
      )
      tools.must(isAsMeant && stopped().length === bots.length, reasons.join(', '))
      const logins = await Promise.all(bots.map(async ({ token }) => 1000 - (await loginsLeft(discord, token))))
      tools.must(
        logins.every((count) => count === 1),
        `logins of each in all: ${logins.join(', ')}`,
      )
      const gapMs = ear.longestGapMs(fromMs)
      tools.must(gapMs < UNHEARD_MS, `longest gap of the other bot ${gapMs} ms`)
    },
  }),
  experiment({
    number: '11d',
    title: 'an outage of the guild (GUILD_DELETE unavailable) for 3 s, then it is back',
    passes: 'no gap of 0.4 s in the sound, the player and its queue are as before',
    limitMs: 60_000,
    async run(tools) {
      const discord = await tools.discord()
      const { service, ear } = await startPlaying(tools)
      await service.music('POST', '/play', { query: TRACKS.tone, channelId: service.channelId })
      const fromMs = performance.now()
      const guild = `/sandbox/guilds/${service.guildId}`
      await discord.control('PATCH', guild, { unavailable: true })
      await sleep(3000)
      const during = await service.call('GET', `/v1/music/guilds/${service.guildId}/player`)
      await discord.control('PATCH', guild, { unavailable: false })
      await sleep(1000)
      const gapMs = ear.longestGapMs(fromMs)
      const { queue, paused } = await service.music('GET', '/player')
      tools.must(gapMs < UNHEARD_MS, `longest gap ${gapMs} ms; the player answers ${during.status} meanwhile`)
      tools.must(queue.length === 1 && !paused, `${queue.length} of 1 queued afterwards`)
    },
  }),
  experiment({
    number: '11e',
    title: 'a program joins and leaves 65 channels at once: 130 payloads, where Discord takes 120 in a minute',
    passes: 'Discord never closes the connection (4008), and the next wish of a player that plays is heard',
    limitMs: 120_000,
    async run(tools) {
      const discord = await tools.discord()
      const service = await tools.service({ env: PLAYING_ALONE })
      const places = await openPlaces(service, service.botId, 65)
      await sleep(500)
      await Promise.all(places.map((place) => play(service, place, TRACKS.noise)))
      await Promise.all(places.map(({ guildId }) => service.call('DELETE', `/v1/music/guilds/${guildId}/player`)))
      await sleep(1500)
      const shown = await Promise.all(
        places.map(async ({ guildId }) => {
          const { body } = await discord.control('GET', `/sandbox/guilds/${guildId}/members/${service.botId}/voice`)
          return body !== null
        }),
      )
      tools.must(losses(service) === 0 && (await isConnected(service)), `${losses(service)} connections lost`)
      tools.saw(`${shown.filter(Boolean).length} channels are still to be left, when Discord takes payloads again`)
    },
  }),
]
