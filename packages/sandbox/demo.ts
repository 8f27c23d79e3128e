import { ChannelType } from 'discord-api-types/v10'
import { createApplication, createUser } from './world/applications.ts'
import { addApplication, addChannel, addMember, createGuild, createRole } from './world/guilds.ts'
import { snowflake } from './world/snowflake.ts'
import type { Suggestion, World } from './world/world.ts'

/** The ids never change, so that a bot and its users find everything where it was after a restart. */
const ID = (counter: number) => snowflake(Date.UTC(2026, 0, 1), counter)

const MEMBERS = [
  ['mira', 'Mira'],
  ['jonas', 'Jonas'],
  ['aiko', 'Aiko'],
  ['tomasz', 'Tomasz'],
  ['zola', 'Zola'],
] as const

export const DEMO = {
  guildId: ID(1),
  voiceChannelId: ID(10),
  secondVoiceChannelId: ID(11),
  textChannelId: ID(12),
  stageChannelId: ID(13),
  djRoleId: ID(20),
  applicationId: ID(100),
  memberIds: MEMBERS.map((_, i) => ID(200 + i)),
} as const

/** Commands to try, in this order; those that the bot has. */
const SUGGESTIONS: readonly Suggestion[] = [
  {
    command: 'library album',
    options: { name: 'Seaside Concert' },
    followedBy: [{ command: 'loop', options: { mode: 'queue' } }],
  },
  { command: 'queue', options: {}, needsSound: true },
  // Neither of them manages the server, so the listeners vote.
  { command: 'skip', options: {}, needsSound: true, members: [ID(202), ID(203)] },
  { command: 'filter', options: { preset: 'nightcore' }, needsSound: true },
  { command: 'web', options: {} },
  { command: 'play', options: { query: 'paper lanterns' } },
  { command: 'help', options: {} },
]

/** A guild to try things in: a text channel, two voice channels, a stage, a handful of people, and one bot. */
export function buildDemo(world: World): void {
  const [ownerId = ID(200)] = DEMO.memberIds
  const guild = createGuild(world, { id: DEMO.guildId, name: 'Seaside Commons', ownerId })
  addChannel(world, guild, { id: DEMO.textChannelId, name: 'music', type: ChannelType.GuildText })
  addChannel(world, guild, { id: DEMO.voiceChannelId, name: 'The Pier', type: ChannelType.GuildVoice })
  addChannel(world, guild, { id: DEMO.secondVoiceChannelId, name: 'The Lighthouse', type: ChannelType.GuildVoice })
  addChannel(world, guild, { id: DEMO.stageChannelId, name: 'The Bandstand', type: ChannelType.GuildStageVoice })
  for (const [i, [username, displayName]] of MEMBERS.entries()) {
    addMember(world, guild, createUser(DEMO.memberIds[i] ?? ID(200 + i), username, { displayName }))
  }
  const dj = createRole(world, guild, { id: DEMO.djRoleId, name: 'DJ', permissions: 0n })
  guild.members.get(DEMO.memberIds[1] ?? '')?.roles.push(dj.id)
  world.suggestions = SUGGESTIONS
  const known = world.applications.get(DEMO.applicationId)
  const bot = known ?? createApplication(world, { id: DEMO.applicationId, name: 'Bandstand' })
  addApplication(world, guild, bot)
}
