import { pino } from 'pino'
import type { PlayerScope, PlayerService } from '../../bot/player-service.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import {
  enterVoice,
  getApplication,
  getGuild,
  getMember,
  removeFromVoice,
  tellMemberUpdate,
  type Guild,
} from 'bandstand-sandbox/world'
import type { ShardDirectory } from '../../bot/discord/shards/shard-directory.ts'
import type { SponsorBlock } from '../../upstream/music/sponsorblock.ts'
import type { Recommenders } from '../../bot/tracks/recommenders.ts'
import type { Lookups } from '../../upstream/lookups.ts'
import { startBots, until, type TestBots } from './bots.ts'
import { createFakeAudioNode, type FakeAudioNode } from './fake-audio-node.ts'
import { testSources } from './stage.ts'

/** Answer as a member sees it. */
export interface Seen {
  readonly answer: string
  /** Text of the message or of its embeds. */
  readonly text: string
  readonly isPrivate: boolean
  readonly messageId: string
  readonly customIds: readonly string[]
  readonly choices: readonly { readonly name: string; readonly value: string }[]
  readonly whole: any
}

interface Doing {
  /** Index of the member of the demo: 0 is the owner. */
  readonly by?: number
  readonly locale?: string
  /** The bot whose command it is. Defaults to the demo's. */
  readonly bot?: string
}

/** The demo guild of the stand-in Discord with a connected bot, whose commands its members use. Only the sound is a fake. */
export interface MemberStage {
  readonly sandbox: Sandbox
  readonly test: TestBots
  readonly node: FakeAudioNode
  /** One for each player, as long as there are enough. */
  readonly nodes: readonly FakeAudioNode[]
  readonly guild: Guild
  readonly scope: PlayerScope
  readonly music: PlayerService
  readonly ids: readonly string[]
  type(command: string, options?: Record<string, unknown>, doing?: Doing): Promise<Seen>
  /** `filled`: what stands in the other options already. */
  complete(command: string, focused: string, typed: string, doing?: Doing & { filled?: object }): Promise<Seen>
  /** Picks a command from the menu of a message. */
  pick(command: string, messageId: string, doing?: Doing): Promise<Seen>
  /** A member writes something. @returns the id of the message. */
  write(content: string, doing?: Doing): Promise<string>
  press(messageId: string, customId: string, doing?: Doing): Promise<Seen>
  choose(messageId: string, customId: string, values: readonly string[], doing?: Doing): Promise<Seen>
  /** Sends the form that an interaction was answered with. */
  send(interactionId: string, fields: Readonly<Record<string, string>>): Promise<Seen>
  control(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: any }>
  sit(member: number, channelId?: string | null): Promise<void>
  /** A further bot of the project in the demo guild, connected. @returns its id. */
  addBot(name: string): Promise<string>
  /** A further member. @returns the number to name them by. */
  addMember(name: string): Promise<number>
  giveRole(member: number, permissions?: bigint): Promise<string>
  /** Messages in the text channel, the oldest first. */
  messages(): readonly any[]
  /** The now-playing cards in the text channel. */
  cards(): readonly any[]
  close(): Promise<void>
}

const PATIENCE_MS = 60_000

export interface MemberStageOptions {
  readonly sources?: Sources
  readonly utilities?: Lookups
  readonly recommenders?: Recommenders
  readonly sponsorBlock?: SponsorBlock
  readonly directory?: ShardDirectory
  /** Number of audio nodes. Defaults to one. */
  readonly nodes?: number
  /** Whether the bot may read messages. Defaults to true. */
  readonly messageContent?: boolean
}

export async function createMemberStage(options: MemberStageOptions = {}): Promise<MemberStage> {
  const { sources = testSources, messageContent = true } = options
  const sandbox = await startSandbox({
    port: 0,
    stateFile: null,
    limits: false,
    demoMember: false,
    log: pino({ level: 'silent' }),
  })
  const { world, demo } = sandbox
  // A test of what is answered should not fail because a busy machine took longer than Discord's three seconds.
  world.rules.interactionMs = PATIENCE_MS
  if (!messageContent) getApplication(world, demo.applicationId).privileged = 0
  const nodes = Array.from({ length: options.nodes ?? 1 }, (_, i) => createFakeAudioNode(`audio-${i + 1}`))
  const node = nodes[0] as FakeAudioNode
  const memberIds = [...demo.memberIds]
  const guild = getGuild(world, demo.guildId)
  const test = await startBots({ ...options, apiUrl: `${sandbox.url}/api`, nodes, sources })
  const botId = demo.applicationId
  await test.records.add({ id: botId, projectId: test.projectId, name: 'Bot', token: demo.botToken })
  test.changed()
  await until('the bot is connected', () => test.bots.isConnected(botId))
  await until('its commands are known', () => (world.applications.get(botId)?.commands.size ?? 0) > 0)

  async function control(method: string, path: string, body?: unknown) {
    const response = await fetch(`${sandbox.url}/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  async function interact(kind: string, body: object, { by = 0, locale = 'en-US', bot }: Doing = {}): Promise<Seen> {
    const subcommand = {
      userId: memberIds[by],
      channelId: demo.textChannelId,
      waitMs: PATIENCE_MS,
      locale,
      ...((kind === 'command' || kind === 'autocomplete' || kind === 'context-menu') && {
        applicationId: bot ?? botId,
      }),
      ...body,
    }
    const answered = await control('POST', `/guilds/${guild.id}/interactions/${kind}`, subcommand)
    if (answered.status >= 300) throw new Error(`The sandbox refused ${kind}: ${JSON.stringify(answered.body)}`)
    return toSeen(answered.body)
  }

  return {
    sandbox,
    test,
    node,
    nodes,
    guild,
    scope: { projectId: test.projectId, botId, playerCeiling: 100 },
    get music() {
      return test.bots.music
    },
    ids: memberIds,
    type: (command, options = {}, doing = {}) => interact('command', { command, options }, doing),
    complete: (command, focused, typed, doing = {}) =>
      interact('autocomplete', { command, focused, options: { ...doing.filled, [focused]: typed } }, doing),
    pick: (command, targetId, doing = {}) => interact('context-menu', { command, targetId }, doing),
    async write(content, { by = 0 } = {}) {
      const path = `/guilds/${guild.id}/channels/${demo.textChannelId}/messages`
      return (await control('POST', path, { userId: memberIds[by], content })).body.id
    },
    press: (messageId, customId, doing = {}) => interact('button', { messageId, customId }, doing),
    choose: (messageId, customId, values, doing = {}) => interact('select', { messageId, customId, values }, doing),
    send: (interactionId, fields) => interact('modal', { interactionId, fields }),
    control,
    async sit(member, channelId = demo.voiceChannelId) {
      const userId = memberIds[member] ?? ''
      if (channelId === null) removeFromVoice(world, guild, userId, null)
      else enterVoice(world, guild, { userId, channelId, sessionId: `session of ${userId}` })
      // Discord tells of it before it tells of any command that follows.
    },
    async addBot(name) {
      const { body } = await control('POST', '/applications', { name, guildIds: [guild.id] })
      await test.records.add({ id: body.id, projectId: test.projectId, name, token: body.token })
      test.changed()
      await until('the bot is connected', () => test.bots.isConnected(body.id))
      await until('its commands are known', () => (world.applications.get(body.id)?.commands.size ?? 0) > 0)
      return body.id
    },
    async addMember(name) {
      memberIds.push((await control('POST', `/guilds/${guild.id}/members`, { name })).body.id)
      return memberIds.length - 1
    },
    async giveRole(member, permissions = 0n) {
      const { roles } = getMember(guild, memberIds[member] ?? '')
      const everyone = guild.roles.get(guild.id)
      if (!everyone) throw new Error('A guild has a role for everyone.')
      const id = world.nextId()
      guild.roles.set(id, { ...everyone, id, name: `role ${id}`, permissions: String(permissions) })
      roles.push(id)
      tellMemberUpdate(world, guild, getMember(guild, memberIds[member] ?? ''))
      return id
    },
    messages: () => [...(world.messages.get(demo.textChannelId)?.values() ?? [])],
    cards: () =>
      [...(world.messages.get(demo.textChannelId)?.values() ?? [])].filter((message) =>
        JSON.stringify(message.components ?? []).includes('card:pause'),
      ),
    async close() {
      await test.close()
      await sandbox.close()
    },
  }
}

function toSeen(outcome: any): Seen {
  const message = outcome.message ?? outcome.messages.at(-1) ?? null
  return {
    answer: outcome.answer,
    text: message ? textOf(message) : '',
    isPrivate: message?.ephemeral ?? false,
    messageId: message?.id ?? '',
    customIds: customIdsOf(message?.components ?? []),
    choices: outcome.choices ?? [],
    whole: outcome,
  }
}

/** All that can be read in a message. */
export function textOf({ content, embeds }: any): string {
  const ofEmbeds = embeds.flatMap(({ title, description, fields = [], footer }: any) => [
    title,
    description,
    ...fields.flatMap(({ name, value }: any) => [name, value]),
    footer?.text,
  ])
  return [content, ...ofEmbeds].filter((it) => typeof it === 'string' && it !== '').join('\n')
}

export function customIdsOf(rows: readonly any[]): readonly string[] {
  return rows.flatMap(({ components }) => components.map(({ custom_id }: any) => custom_id))
}

/** Labels of the buttons. */
export function labelsOf(rows: readonly any[]): readonly string[] {
  return rows.flatMap(({ components }) => components.map(({ label }: any) => label ?? ''))
}
