/**
 * How large a world the sandbox carries: 100 guilds with 1,000 members, and music in 50 voice channels that a member of
 * the sandbox hears. How long it takes to start, what memory and CPU it needs, and how long a snapshot and a reset take.
 * `npm run bench:sandbox [seconds]`
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectSandbox, type GuildView, type SandboxClient, type WorldDraft } from 'bandstand-sandbox'
import { connectMember, type MemberVoice } from 'bandstand-sandbox/voice'
import { Client, Events, GatewayIntentBits, type RESTOptions } from 'discord.js'
import { cpuSeconds, residentMiB } from './process.ts'
import { median, ownAtMost, report } from './report.ts'

const GUILDS = 100
const MEMBERS_EACH = 10
const PLAYERS = 50
const ROUNDS = 15
const SECONDS = Number(process.argv[2] ?? 10)
const FRAME_MS = 20
const FRAME_BYTES = 160
const TOKEN = 'bench-player-token'

const world: WorldDraft = {
  applications: [{ name: 'Player', token: TOKEN }],
  guilds: Array.from({ length: GUILDS }, (_, guild) => ({
    name: `Guild ${guild}`,
    channels: [{ name: 'text' }, { name: 'Voice', type: 'voice' as const }],
    members: Array.from({ length: MEMBERS_EACH }, (__, member) => ({ name: `member-${guild}-${member}` })),
    applications: ['Player'],
  })),
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly ms: number
}

async function start(file: string): Promise<Started> {
  const startMs = performance.now()
  const cli = join(import.meta.dirname, '../sandbox/cli.ts')
  // As npm starts it, by its first line, which has the options of Node.
  const child = spawn(cli, ['--port', '0', '--world', file, '--json'])
  child.stderr.pipe(process.stderr)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { ready } = JSON.parse(line) as { ready: { url: string } }
  return { child, url: ready.url, ms: performance.now() - startMs }
}

/** A member plays from this process, as a bot would; another one, whose client is the sandbox's, hears it. */
async function playIn(control: SandboxClient, guild: GuildView, certificate: string): Promise<MemberVoice> {
  const channelId = guild.channels.find(({ type }) => type === 'voice')!.id
  const [player, listener] = guild.members.filter(({ bot }) => !bot)
  const path = `/guilds/${guild.id}/channels/${channelId}/connect`
  const credentials = await control.call<Parameters<typeof connectMember>[0]>('POST', path, { userId: player!.id })
  const voice = await connectMember({ ...credentials, certificate })
  await control.member(guild.id, listener!.id).join(channelId)
  return voice
}

/** Frames that no decoder could play, but that weigh as much as music. */
function* song(seconds: number): Generator<Buffer> {
  for (let frame = 0; frame < (seconds * 1000) / FRAME_MS; frame += 1) yield Buffer.alloc(FRAME_BYTES, 0xfc)
}

async function measureMusic(control: SandboxClient, pid: number): Promise<void> {
  const certificate = await control.certificate()
  const guilds = (await control.guilds()).slice(0, PLAYERS)
  const voices: MemberVoice[] = []
  for (const guild of guilds) voices.push(await playIn(control, guild, certificate))
  // The keys of the first groups are made.
  await sleep(1000)
  const before = cpuSeconds(pid)
  const speaking = Promise.all(voices.map((voice) => voice.speak(song(SECONDS))))
  await sleep((SECONDS * 1000) / 2)
  const memory = residentMiB(pid)
  await speaking
  const cpu = ((cpuSeconds(pid) - before) / SECONDS) * 100
  const heard = await Promise.all(
    guilds.map(async (guild) => {
      const listener = guild.members.filter(({ bot }) => !bot)[1]!
      const { decrypted, clear } = await control.member(guild.id, listener.id).hearing()
      return decrypted + clear
    }),
  )
  const sent = (PLAYERS * SECONDS * 1000) / FRAME_MS
  const lost = Math.max(0, sent - heard.reduce((sum, one) => sum + one, 0))
  const what = `${GUILDS} guilds, ${GUILDS * MEMBERS_EACH} members, music in ${PLAYERS} channels`
  report({ what: `memory of the sandbox with ${what}`, own: memory, unit: ' MiB', beside: null, goal: ownAtMost(250) })
  report({ what: `CPU of the sandbox with ${what}`, own: cpu, unit: ' %', beside: null, goal: null })
  report({ what: `frames of ${sent} that listeners missed`, own: lost, unit: '', beside: null, goal: null })
  for (const voice of voices) voice.close()
}

/** With a bot in all guilds, which is told of each of them again. */
async function measureResets(control: SandboxClient): Promise<void> {
  const api = `${control.url}/api`
  const makeRequest = fetch as unknown as RESTOptions['makeRequest']
  const bot = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api, makeRequest } })
  const ready = once(bot, Events.ClientReady)
  await bot.login(TOKEN)
  await ready
  const [guild] = await control.guilds()
  const text = guild!.channels.find(({ type }) => type === 'text')!.id
  const resets: number[] = []
  const snapshots: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await control.member(guild!.id, guild!.ownerId).say(text, 'changed')
    await control.createChannel(guild!.id, { name: 'more', type: 'text' })
    snapshots.push(await timed(() => control.snapshot('bench')))
    resets.push(await timed(() => control.reset()))
    // What the bot is told is not part of the next round.
    await sleep(200)
  }
  await bot.destroy()
  const of = `a world of ${GUILDS} guilds, median of ${ROUNDS}`
  report({ what: `a snapshot of ${of}`, own: median(snapshots), unit: ' ms', beside: null, goal: ownAtMost(50) })
  report({ what: `a reset of ${of}`, own: median(resets), unit: ' ms', beside: null, goal: ownAtMost(50) })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

const folder = mkdtempSync(join(tmpdir(), 'bench-sandbox-'))
const file = join(folder, 'world.json')
writeFileSync(file, JSON.stringify(world))
const starts: number[] = []
let last: Started | null = null
for (let round = 0; round < 3; round += 1) {
  last?.child.kill()
  last = await start(file)
  starts.push(last.ms)
}
try {
  const what = `from the command to ready, ${GUILDS} guilds with ${GUILDS * MEMBERS_EACH} members`
  report({ what, own: median(starts), unit: ' ms', beside: null, goal: ownAtMost(3000) })
  const control = await connectSandbox(last!.url)
  await measureResets(control)
  await measureMusic(control, last!.child.pid!)
} finally {
  last?.child.kill()
  rmSync(folder, { recursive: true })
}
process.exit()
