import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { createAudioNode } from '../../bot/audio/node/audio-node.ts'
import type { AudioNodeOptions } from '../../bot/audio/node/options.ts'
import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import type { PlayerRules } from '../../bot/player/player-parts.ts'
import type { PlayerScope, PlayerService } from '../../bot/player-service.ts'
import type { Clock } from '../../bot/player/timers.ts'
import type { PlayerInfo } from '../../bot/player/player-info.ts'
import { createReader } from '../../bot/sources/library/reader.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { createLog } from '../../lib/log.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import type { MemberVoice } from 'bandstand-sandbox/voice'
import {
  addApplication,
  addChannel,
  createGuild,
  getApplication,
  getGuild,
  removeFromVoice,
  type Guild,
} from 'bandstand-sandbox/world'
import { startBots, until, type TestBots } from './bots.ts'
import { temporaryFolder } from './database.ts'
import { framesOf, listenFrom, type Listener } from './hearing.ts'
import { pinkNoise } from './made-once.ts'
import { testSources, trackNamed } from './stage.ts'

export { hear } from './hearing.ts'
export type { Heard, Listener } from './hearing.ts'

export interface ConcertOptions {
  readonly rules?: PlayerRules
  /** Instead of one file of noise for every name. */
  readonly sources?: Partial<Sources>
  /** Hosts that the audio thread may reach regardless of their address. */
  readonly allowHosts?: readonly string[]
  /** Timings of the audio thread's watchdog. */
  readonly timings?: AudioNodeOptions['timings']
  /** A module that is loaded into the audio thread first. */
  readonly preload?: string
  /** Defaults to 1. */
  readonly threadCount?: number
  /** Wraps an audio thread for the players. */
  readonly shown?: (node: AudioNode) => AudioNode
  readonly clock?: Clock
  /** Nodes on other machines, which come before the thread. They are closed with the concert. */
  readonly openRemote?: (sandbox: Sandbox) => Promise<readonly AudioNode[]>
}

/**
 * Nothing is a fake here: real discord.js and a real audio thread meet the stand-in Discord, and a member of it decrypts
 * what the bot sends and knows every frame of it. Every name that is asked for plays the same minute of noise.
 */
export interface Concert {
  readonly sandbox: Sandbox
  readonly node: AudioNode
  readonly test: TestBots
  readonly guild: Guild
  readonly botId: string
  readonly scope: PlayerScope
  readonly music: PlayerService
  /** The audio threads there have been, the present one last. */
  readonly threads: readonly Worker[]
  /** The minute of noise, Ogg Opus. */
  readonly path: string
  play(query?: string, guildId?: string, channelId?: string): Promise<unknown>
  info(): Promise<PlayerInfo>
  /** Events of a guild: `trackStarted`, `trackEnded cleanup`, … */
  told(guildId?: string): readonly string[]
  /** Lets a member with a voice client of their own sit in a channel. */
  listen(index?: number, channelId?: string): Promise<Listener>
  /** A further guild with the bot and one voice channel. */
  addGuild(name: string): { readonly guildId: string; readonly channelId: string }
  /** Closes all players and lets every member leave. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Members whose voice clients are here. */
type Crowd = MemberVoice[]

export async function startConcert(options: ConcertOptions = {}): Promise<Concert> {
  const { rules, sources: given = {}, allowHosts = [], timings, preload, clock } = options
  const { threadCount = 1, shown = (node: AudioNode) => node } = options
  const folder = temporaryFolder()
  const path = join(folder.path, 'noise.opus')
  copyFileSync(await pinkNoise(), path)
  const frames = framesOf(path)
  const sources: Sources = {
    ...testSources,
    find: async (query) => ({ tracks: query.split(' ').map(trackNamed), playlist: null }),
    open: async () => ({ kind: 'file', path, codec: 'ogg-opus' }),
    ...given,
  }
  const threads: Worker[] = []
  const onThread = (message: unknown): void => {
    const { worker } = message as { worker: Worker }
    // A thread that has ended has no name any more.
    if (worker.threadName === 'audio') threads.push(worker)
  }
  subscribe('worker_threads', onThread)
  const sandbox = await startSandbox({
    port: 0,
    stateFile: null,
    limits: false,
    demoMember: false,
    log: pino({ level: 'silent' }),
  })
  const reader = createReader({ allowHosts, log: createLog('silent') })
  const openThread = (id: string) =>
    createAudioNode({
      id,
      log: createLog('silent'),
      readHlsWindow: (request, signal) => reader.run('hlsWindow', request, signal),
      inThread: true,
      certificates: [sandbox.certificate],
      egress: { allowHosts },
      ...(timings && { timings }),
      ...(preload !== undefined && { execArgv: ['--import', preload] }),
    })
  const ids = Array.from({ length: threadCount }, (_, i) => `audio-${i + 1}`)
  const local = (await Promise.all(ids.map(openThread))).map(shown)
  const [node] = local as [AudioNode]
  const nodes = [...((await options.openRemote?.(sandbox)) ?? []), ...local]
  const test = await startBots({
    apiUrl: `${sandbox.url}/api`,
    nodes,
    sources,
    ...(rules && { rules }),
    ...(clock && { clock }),
  })
  const { world, demo } = sandbox
  const botId = demo.applicationId
  const guild = getGuild(world, demo.guildId)
  const scope = { projectId: test.projectId, botId, playerCeiling: 100 }
  const members: Crowd = []
  await test.records.add({ id: botId, projectId: test.projectId, name: 'Bot', token: demo.botToken })
  test.changed()
  await until('the bot is connected', () => test.bots.isConnected(botId))

  return {
    sandbox,
    node,
    test,
    guild,
    botId,
    scope,
    get music() {
      return test.bots.music
    },
    threads,
    path,
    play: (query = 'A', guildId = guild.id, channelId = demo.voiceChannelId) =>
      test.bots.music.play(scope, guildId, { query, channelId }),
    info: () => test.bots.music.info(scope, guild.id),
    told: (guildId = guild.id) =>
      test.events
        .filter((event) => 'guildId' in event && event.guildId === guildId)
        .map((event) => ('reason' in event ? `${event.type} ${event.reason}` : event.type)),
    async listen(index = 0, channelId = demo.voiceChannelId) {
      const listener = await listenFrom({ sandbox, guild, userId: demo.memberIds[index] ?? '', channelId, frames })
      members.push(listener.member)
      return listener
    },
    addGuild(name) {
      const it = createGuild(world, { name, ownerId: demo.memberIds[0] ?? '' })
      const channel = addChannel(world, it, { name: 'voice', type: 2 })
      addApplication(world, it, getApplication(world, botId))
      return { guildId: it.id, channelId: channel.id }
    },
    async clear() {
      for (const { guildId } of await test.bots.music.players(scope)) await test.bots.music.close(scope, guildId)
      for (const member of members.splice(0)) {
        removeFromVoice(world, guild, member.userId, null)
        member.close()
      }
      test.events.splice(0)
    },
    async close() {
      unsubscribe('worker_threads', onThread)
      for (const member of members) member.close()
      await test.close()
      await Promise.all(nodes.map((one) => one.close()))
      await reader.close()
      await sandbox.close()
      folder.remove()
    },
  }
}
