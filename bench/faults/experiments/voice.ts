import { openEvents } from '../../../test/support/socket.ts'
import { play } from '../../places.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { metric, openPlayers, PLAYING_ALONE, range, type Playing } from '../players.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

/** After these a player must continue on its own; null cuts the connection. */
const PASSING = [null, 1000, 1006, 4001, 4002, 4003, 4004, 4005, 4006, 4009, 4011, 4012, 4015, 4016, 4020] as const
/** After these it must end: thrown out, encryption required, asked too much, call over. */
const ENDING = [4014, 4017, 4021, 4022] as const
const LONGEST_SILENCE_MS = 3000
/** What may be a move is waited out for five seconds. */
const ENDED_WITHIN_MS = 15_000

interface Before {
  readonly player: Playing
  readonly positionMs: number
  readonly atMs: number
}

async function before(player: Playing): Promise<Before> {
  const positionMs = (await player.positionMs()) ?? 0
  await player.packets({ reset: true })
  return { player, positionMs, atMs: performance.now() }
}

/** Waits until it is heard again for a while. @returns what was heard since, and how far it is from its place. */
async function after({ player, positionMs, atMs }: Before, what: string) {
  await until(`${what}: heard again`, async () => (await player.packets()).packets > 100, ENDED_WITHIN_MS)
  const { longestSilenceMs } = await player.packets()
  const gone = ((await player.positionMs()) ?? NaN) - positionMs
  return { silentMs: longestSilenceMs, offMs: gone - (performance.now() - atMs) }
}

async function endings(tools: Tools, service: Service): Promise<readonly any[]> {
  const opened = await openEvents(service.baseUrl, service.keys.unlinked, '?events=playerClosed')
  tools.own(opened, (it) => it.close())
  return opened.messages
}

interface Network {
  readonly name: string
  readonly faults: Readonly<Record<string, unknown>>
  /** Percent of its packets that may not arrive. */
  readonly lost: readonly [least: number, most: number]
}

const NETWORKS: readonly Network[] = [
  { name: 'nothing', faults: {}, lost: [0, 0.5] },
  { name: '5 % lost', faults: { direction: 'in', lossPercent: 5 }, lost: [2, 9] },
  { name: '20 % lost', faults: { direction: 'in', lossPercent: 20 }, lost: [14, 27] },
  { name: '50 ms jitter', faults: { direction: 'in', jitterMs: 50 }, lost: [0, 1] },
  { name: '200 ms jitter', faults: { direction: 'in', delayMs: 50, jitterMs: 200 }, lost: [0, 1.5] },
  { name: '20 % reordered', faults: { direction: 'in', reorderPercent: 20 }, lost: [0, 1] },
  { name: 'nothing passes', faults: { direction: 'in', stalled: true }, lost: [0, 3] },
]
const STOP_S = 20
const FRAMES = STOP_S * 50

function closeVoice(player: Playing, code: number | null): Promise<unknown> {
  return player.happen('/voice-socket', code === null || code === 1006 ? { drop: true } : { code })
}

/** What it could not understand it may have answered by connecting again: the next message waits for that. */
function say(player: Playing | undefined, body: object): Promise<number> {
  return until('it has a voice session', () => isDone(player?.happen('/voice-message', body)), 5000)
}

function isDone(deed: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.resolve(deed).then(
    () => true,
    () => false,
  )
}

/** What Discord's voice servers and the way to them do. */
export const VOICE = [
  experiment({
    number: '10a',
    title: 'Discord closes the voice sockets of 19 players, each with another code or by cutting TCP',
    passes:
      'all but 4014, 4017, 4021 and 4022 are heard again within 3 s at their place; those end with playerClosed, and can be played to again',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service({ env: PLAYING_ALONE })
      const told = await endings(tools, service)
      const players = await openPlayers(tools, service, PASSING.length + ENDING.length, TRACKS.noise)
      const passing = await Promise.all(
        PASSING.map(async (code, i) => ({ code, since: await before(players[i] as Playing) })),
      )
      const ending = ENDING.map((code, i) => ({ code, player: players[PASSING.length + i] as Playing }))
      await Promise.all([
        ...passing.map(({ code, since }) => closeVoice(since.player, code)),
        ...ending.map(({ code, player }) => closeVoice(player, code)),
      ])
      const back = await Promise.all(
        passing.map(async ({ code, since }) => ({ code, heard: await after(since, `${code}`) })),
      )
      const slow = back.filter(
        ({ heard: { silentMs, offMs } }) => silentMs > LONGEST_SILENCE_MS || Math.abs(offMs) > LONGEST_SILENCE_MS,
      )
      tools.must(
        slow.length === 0,
        `${back.length} went on: silent for ${range(back.map(({ heard }) => heard.silentMs))} ms, ${range(back.map(({ heard }) => heard.offMs))} ms off their place ${slow.map(({ code }) => code).join(' ')}`,
      )
      await Promise.all(
        ending.map(({ code, player }) =>
          until(`${code}: the player has ended`, async () => (await player.positionMs()) === null, ENDED_WITHIN_MS),
        ),
      )
      const reasonOf = ({ guildId }: Playing) => told.find((event) => event.guildId === guildId)?.reason
      // A player is gone for callers before it has left its channel, which is announced last.
      await Promise.all(
        ending.map(({ code, player }) =>
          until(`${code}: its end is announced`, () => reasonOf(player) !== undefined, 5000),
        ),
      )
      const reasons = ending.map(({ player }) => reasonOf(player))
      tools.must(
        reasons.every((reason) => reason === 'disconnected') && told.length === ending.length + 1,
        `${ending.map(({ code }, i) => `${code} ${reasons[i]}`).join(', ')}, no other player closed`,
      )
      for (const { player } of ending) await play(service, player, TRACKS.noise)
      tools.must(true, 'all four play again')
    },
  }),
  experiment({
    number: '10b',
    title: `7 players send into networks with loss, jitter, another order, and one that passes nothing for ${STOP_S} s`,
    passes:
      'each continues at 50 frames per second and keeps its position within 0.5 s; none rejoins; no more CPU than 5 % of a core each',
    limitMs: 90_000,
    async run(tools) {
      const service = await tools.service({ env: PLAYING_ALONE })
      const discord = await tools.discord()
      const players = await openPlayers(tools, service, NETWORKS.length, TRACKS.noise)
      await sleep(1000)
      const since = await Promise.all(players.map(before))
      const setFaults = (player: Playing | undefined, faults: object) =>
        discord.control('PUT', `/sandbox/guilds/${player?.guildId}/faults`, faults)
      const cpuBefore = await metric(service, 'process_cpu_seconds_total')
      await Promise.all(NETWORKS.map(({ faults }, i) => setFaults(players[i], faults)))
      await sleep(STOP_S * 1000)
      const cpu = (await metric(service, 'process_cpu_seconds_total')) - cpuBefore
      await Promise.all(NETWORKS.map((_, i) => setFaults(players[i], {})))
      await sleep(1000)
      for (const [i, { name, lost }] of NETWORKS.entries()) {
        const { player, positionMs, atMs } = since[i]!
        const report = await player.packets()
        const gone = ((await player.positionMs()) ?? NaN) - positionMs
        const frames = report.packets + report.lost
        const due = (performance.now() - atMs) / 20
        const percent = (report.lost * 100) / frames
        tools.must(
          Math.abs(frames - due) < FRAMES / 20 &&
            Math.abs(gone - (performance.now() - atMs)) < 500 &&
            percent >= lost[0] &&
            percent <= lost[1],
          `${name}: ${frames} frames in ${((performance.now() - atMs) / 1000).toFixed(1)} s, ${percent.toFixed(1)} % lost, ${report.reordered} late in order`,
        )
      }
      const rejoins = await metric(service, 'audio_rejoins_total')
      const share = (cpu * 100) / STOP_S / NETWORKS.length
      tools.must(rejoins === 0 && share < 5, `${rejoins} rejoins, ${share.toFixed(1)} % of a core each`)
    },
  }),
  experiment({
    number: '10c',
    title:
      'the voice server goes away for 3 s (endpoint null), another takes over, and messages without sense arrive (op 27 and others)',
    passes: 'heard again within 3 s of the new server, and within 1 s of any message; the player and its place stay',
    limitMs: 90_000,
    async run(tools) {
      const service = await tools.service({ env: PLAYING_ALONE })
      const discord = await tools.discord()
      const players = await openPlayers(tools, service, 6, TRACKS.noise)
      // With someone there the call is encrypted from end to end.
      await Promise.all(players.map((player) => discord.listen(player)))
      await sleep(1500)
      const since = await Promise.all(players.map(before))
      const guild = (player: Playing | undefined, body: object) =>
        discord.control('PATCH', `/sandbox/guilds/${player?.guildId}`, body)
      const noise = Buffer.alloc(300, 'no proposal').toString('base64')
      const deeds: readonly (readonly [string, number, (player: Playing | undefined) => Promise<unknown>])[] = [
        [
          'endpoint null for 3 s',
          6000,
          async (player) => {
            await guild(player, { voiceAway: true })
            await sleep(3000)
            await guild(player, { voiceAway: false })
          },
        ],
        [
          'another voice server',
          3000,
          async (player) => {
            await guild(player, { voiceAway: true })
            await guild(player, { voiceAway: false })
          },
        ],
        ['op 27 without sense', 1000, async (player) => say(player, { op: 27, base64: noise })],
        ['op 27 of no bytes', 1000, async (player) => say(player, { op: 27, base64: '' })],
        [
          'ops 29 and 30 without sense',
          1000,
          async (player) => {
            await say(player, { op: 29, base64: noise })
            await say(player, { op: 30, base64: noise })
          },
        ],
        [
          'unknown ops, and known ones of another shape',
          1000,
          async (player) => {
            for (const op of [2, 4, 8, 11, 21, 22, 24, 99]) await say(player, { op, d: { surprise: [null] } })
          },
        ],
      ]
      await Promise.all(deeds.map(([, , deed], i) => deed(players[i])))
      for (const [i, [name, silentAtMostMs]] of deeds.entries()) {
        const { silentMs, offMs } = await after(since[i]!, name)
        tools.must(
          silentMs < silentAtMostMs && Math.abs(offMs) < silentAtMostMs + 500,
          `${name}: silent for ${Math.round(silentMs)} ms, ${Math.round(offMs)} ms off its place`,
        )
      }
    },
  }),
]
