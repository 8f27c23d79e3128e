import type { Bot, VoiceFacts } from './bot.ts'
import { VoiceListener } from './voice-listener.ts'
import type { Guild, Sandbox } from './sandbox.ts'

/** A guild of a check's own, with the bot in it and two voice channels. */
export class TestGuild {
  readonly guildId: string
  readonly channelId: string
  readonly otherChannelId: string
  readonly sandbox: Sandbox
  readonly bot: Bot
  readonly #guild: Guild
  readonly #listeners: VoiceListener[] = []

  private constructor(sandbox: Sandbox, bot: Bot, guild: Guild) {
    const [first, second] = guild.channels.filter(({ type }) => type === 'voice')
    if (!first || !second) throw new Error('The sandbox made a guild without two voice channels.')
    this.sandbox = sandbox
    this.bot = bot
    this.#guild = guild
    this.guildId = guild.id
    this.channelId = first.id
    this.otherChannelId = second.id
  }

  static async create(sandbox: Sandbox, bot: Bot): Promise<TestGuild> {
    return new TestGuild(sandbox, bot, await sandbox.createGuild(bot.id))
  }

  join(channelId = this.channelId): Promise<VoiceFacts> {
    return this.bot.join(this.guildId, channelId)
  }

  /** Moves the bot as a moderator does. */
  move(channelId: string): Promise<VoiceFacts> {
    return this.bot.factsAfter(this.guildId, () => this.sandbox.move(this.guildId, this.bot.id, channelId))
  }

  /** Discord takes the voice server away and gives another one. */
  changeServer(): Promise<VoiceFacts> {
    return this.bot.factsAfter(this.guildId, async () => {
      await this.sandbox.setVoiceAway(this.guildId, true)
      await this.sandbox.setVoiceAway(this.guildId, false)
    })
  }

  /** Discord closes the bot's voice socket. */
  closeSocket(code: number): Promise<void> {
    return this.sandbox.closeVoiceSocket(this.guildId, this.bot.id, code)
  }

  async isConnected(): Promise<boolean> {
    return (await this.sandbox.voice(this.guildId, this.bot.id))?.connected === true
  }

  /** A member sits down in a channel and listens. */
  async listen(channelId = this.channelId): Promise<VoiceListener> {
    await this.sandbox.enter(this.#guild, channelId)
    const listener = await VoiceListener.open(this.sandbox, this.guildId, channelId)
    this.#listeners.push(listener)
    return listener
  }

  /** Counts of frames that the member's client could decrypt, and of others. */
  heard(): ReturnType<Sandbox['hearing']> {
    return this.sandbox.hearing(this.guildId, this.#guild.ownerId)
  }

  packets(reset = false): ReturnType<Sandbox['packets']> {
    return this.sandbox.packets(this.guildId, this.bot.id, reset)
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners) listener.close()
    await this.sandbox.deleteGuild(this.guildId)
  }
}
