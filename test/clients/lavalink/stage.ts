import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, GatewayIntentBits } from 'discord.js'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { getGuild } from 'bandstand-sandbox/world'
import { temporaryFolder } from '../../support/database.ts'
import { eventually } from '../../support/service.ts'
import { listenIn, type Ear } from '../../support/ear.ts'
import { startNode, type LavalinkNode } from './node.ts'
import { startRecorder, type Recorder } from './recorder.ts'
import { FIRST_STEP_HZ, makeSongs, serveSongs, STEP_HZ, TONE_HZ, type Song, type Songs } from './songs.ts'

/** Calls to a client library, each in the library's own way; a track is an object from `find`. */
interface ForeignBot {
  join(guildId: string, channelId: string): unknown
  find(query: string, source?: string): Promise<readonly unknown[]>
  titleOf(track: unknown): string
  play(guildId: string, track: unknown, options?: { position?: number; endTime?: number }): unknown
  pause(guildId: string, isPaused: boolean): unknown
  seek(guildId: string, ms: number): unknown
  volume(guildId: string, volume: number): unknown
  pitch(guildId: string, pitch: number): unknown
  position(guildId: string): number
  leave(guildId: string): unknown
  close(): unknown
  /** Whether it has a queue, and says when that ended. */
  readonly endsQueue: boolean
  /** Whether it can say where a track begins, and where it ends. */
  readonly playsFrom: boolean
  readonly playsUntil: boolean
  /** Whether its bot hears why a track ended. */
  readonly tellsReplaced: boolean
  /** Whether it can take up its session again; all but a few can. */
  readonly resumes?: boolean
}

export interface ForeignClient {
  readonly name: string
  start(options: {
    readonly discord: Client
    readonly host: string
    readonly port: number
    readonly password: string
    /** For its files. */
    readonly folder: string
    readonly tell: (what: string, more?: string | number) => void
  }): ForeignBot
}

/** A stand-in Discord, a node, what stands between the node and its clients, and music. */
export interface Hall {
  readonly sandbox: Sandbox
  readonly node: LavalinkNode
  readonly recorder: Recorder
  readonly songs: Songs
  /** Folder for files of the clients. */
  readonly folder: string
  close(): Promise<void>
}

/** Some write their files later than they end: the folder goes with this process. */
function filesOfClients(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function openHall(): Promise<Hall> {
  const folder = temporaryFolder()
  makeSongs(folder.path)
  const songs = await serveSongs(folder.path)
  const sandbox = await startSandbox({
    port: 0,
    stateFile: null,
    limits: false,
    demoMember: false,
    log: pino({ level: 'silent' }),
  })
  const certificateFile = join(folder.path, 'certificate.pem')
  writeFileSync(certificateFile, sandbox.certificate)
  const node = await startNode({ certificateFile, env: { LIBRARY_DIR: folder.path } })
  const recorder = await startRecorder(node.port)
  return {
    sandbox,
    node,
    recorder,
    songs,
    folder: filesOfClients(),
    async close() {
      await recorder.close()
      await node.close()
      await sandbox.close()
      await songs.close()
      folder.remove()
    },
  }
}

const JOIN_AGAIN_MS = 10_000
const isSomewhere = (channel: string | null) => channel !== null

/** A discord.js bot with one of the client libraries, and a member who hears it. */
export interface Performance {
  readonly bot: ForeignBot
  readonly guildId: string
  readonly channels: readonly [string, string]
  /** Events that the library reported to its bot, oldest first. */
  readonly told: readonly string[]
  readonly ear: Ear
  /** So that a song is heard from its beginning, or from `position`; joins where the bot is in no channel. */
  play(song: Song, options?: { position?: number; endTime?: number }): Promise<void>
  /** Resolves when the library told this, after the first `since` things that it told. */
  hearTold(what: string, since?: number): Promise<void>
  /** Resolves when the second of Stairs, or Tone, is what is heard. */
  hearStep(second: number, within?: number): Promise<void>
  hearTone(factor?: number): Promise<void>
  hearSilence(): Promise<void>
  /** Whether the bot is in a voice channel, by Discord. */
  channelOfBot(): string | null
  /** Lets the listener follow into a channel. */
  listenIn(channelId: string): Promise<void>
  leave(): Promise<void>
  close(): Promise<void>
}

export async function perform(client: ForeignClient, hall: Hall): Promise<Performance> {
  const { sandbox, recorder, node, songs, folder } = hall
  const { demo, world } = sandbox
  const guild = getGuild(world, demo.guildId)
  const channels = [demo.voiceChannelId, demo.secondVoiceChannelId] as const
  const told: string[] = []
  const discord = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
    rest: { api: `${sandbox.url}/api` },
  })
  const tell = (what: string, more?: string | number) => void told.push(more === undefined ? what : `${what} ${more}`)
  const bot = client.start({ discord, host: '127.0.0.1', port: recorder.port, password: node.password, folder, tell })
  await discord.login(demo.botToken)
  let ear = await listenIn(sandbox, demo.memberIds[0] ?? '', channels[0])

  const channelOfBot = () => guild.voice.get(demo.applicationId)?.channelId ?? null
  const hear = async (what: string, isIt: (hz: number) => boolean) => {
    let last = 0
    const look = () => (last = ear.sound().ms >= 400 || what === 'silence' ? ear.sound().hz : -1)
    await eventually(look, isIt, 20_000).catch(() => {
      throw new Error(
        `${what} was not heard; last ${last.toFixed(0)} Hz, ${JSON.stringify(ear.report())}. ${client.name} told: ${told.slice(-12).join(', ')}`,
      )
    })
  }
  const performance: Performance = {
    bot,
    guildId: guild.id,
    channels,
    told,
    get ear() {
      return ear
    },
    async play(song, options) {
      if (channelOfBot() === null) {
        await bot.join(guild.id, channels[0])
        // A library that is still leaving loses the join request, which a person would repeat.
        await eventually(channelOfBot, isSomewhere, JOIN_AGAIN_MS).catch(async () => {
          await bot.leave(guild.id)
          await bot.join(guild.id, channels[0])
        })
        await eventually(channelOfBot, isSomewhere)
      }
      const [track] = await bot.find(songs.urlOf(song))
      if (track === undefined) throw new Error(`${client.name} did not find ${songs.urlOf(song)}.`)
      await bot.play(guild.id, track, options)
      ear.reset()
      if (song === 'Stairs') await performance.hearStep(bot.playsFrom ? (options?.position ?? 0) / 1000 : 0)
      else await performance.hearTone()
    },
    async hearTold(what, since = 0) {
      const isIt = () => told.slice(since).some((one) => one.startsWith(what))
      await eventually(isIt, Boolean, 30_000).catch(() => {
        throw new Error(`${client.name} did not tell ${what}; it told: ${told.slice(since).join(', ')}`)
      })
    },
    hearStep: (second, within = 3) =>
      hear(`second ${second} of Stairs`, (hz) => {
        const step = (hz - FIRST_STEP_HZ) / STEP_HZ
        return step > second - 0.5 && step < second + within
      }),
    hearTone: (factor = 1) => hear(`Tone times ${factor}`, (hz) => Math.abs(hz - TONE_HZ * factor) < 8),
    hearSilence: () => hear('silence', (hz) => hz === 0),
    channelOfBot,
    async listenIn(channelId) {
      ear.leave()
      ear = await listenIn(sandbox, demo.memberIds[0] ?? '', channelId)
    },
    async leave() {
      const since = recorder.said.length
      await bot.leave(guild.id)
      // Not awaited by all, so that on another connection what comes next would overtake it.
      await eventually(() => recorder.said.slice(since).some(({ method }) => method === 'DELETE'), Boolean)
      await eventually(channelOfBot, (channel) => channel === null)
      // A library that has not heard of it yet takes it for the end of what comes next.
      const seen = () => discord.guilds.cache.get(guild.id)?.members.me?.voice.channelId ?? null
      await eventually(seen, (channel) => channel === null)
    },
    async close() {
      if (channelOfBot() !== null) await performance.leave()
      await bot.close()
      ear.leave()
      await discord.destroy()
    },
  }
  return performance
}
