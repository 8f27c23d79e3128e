import type { outcome } from '../control/outcome.ts'
import type { viewMessage, viewVoice } from '../control/views.ts'
import type { HearingReport } from '../voice/member/hearing.ts'
import type { PacketReport } from '../voice/server.ts'
import { pathOf, type Transport } from './transport.ts'

/** A message as the controls show it; `raw` is the whole as Discord has it. */
export type MessageView = ReturnType<typeof viewMessage>
/** A bot's answer to a command, a button or a form. */
export type Outcome = Awaited<ReturnType<typeof outcome>>
export type VoiceView = ReturnType<typeof viewVoice>

/** A file that a member sends along. */
export interface SentFile {
  readonly name: string
  readonly type?: string
  readonly base64: string
}
export type OptionValue = string | number | boolean | SentFile

/** Channel, bot and language of an action; most are found where there is only one choice. */
export interface ActionOptions {
  /** Defaults to the first text channel. */
  readonly channelId?: string
  /** Needed where several bots have the command. */
  readonly applicationId?: string
  /** Locale of the member's app: `de`, `fr`. */
  readonly locale?: string
  /** Timeout for the bot's answer; 10 s by default. */
  readonly waitMs?: number
}

/** A member of a guild, who does what people do. */
export interface MemberClient {
  readonly guildId: string
  readonly userId: string
  say(channelId: string, content: string, file?: SentFile): Promise<MessageView>
  /** `play`, or `settings dj` with a subcommand. Waits until the bot has answered and no longer thinks. */
  command(command: string, options?: Readonly<Record<string, OptionValue>>, action?: ActionOptions): Promise<Outcome>
  /** Choices that the bot offers while an option is typed. */
  autocomplete(
    command: string,
    options: Readonly<Record<string, OptionValue>>,
    action: ActionOptions & { focused: string },
  ): Promise<Outcome>
  /** Uses a command of the context menu of a message or a member. */
  contextMenu(command: string, targetId: string, action?: ActionOptions): Promise<Outcome>
  press(messageId: string, customId: string, action?: ActionOptions): Promise<Outcome>
  select(messageId: string, customId: string, values: readonly string[], action?: ActionOptions): Promise<Outcome>
  /** Submits the form that an interaction was answered with. */
  submit(interactionId: string, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Outcome>
  /** Joins with a voice client of the member's own, unless `client` is false. Resolves once the client receives audio. */
  join(channelId: string, options?: { client?: boolean; selfMute?: boolean; selfDeaf?: boolean }): Promise<VoiceView>
  leave(): Promise<void>
  /** Reacts with a Unicode emoji; `on` false removes the reaction. */
  react(channelId: string, messageId: string, emoji: string, on?: boolean): Promise<MessageView>
  mute(muted?: boolean): Promise<VoiceView>
  deafen(deafened?: boolean): Promise<VoiceView>
  /** A tone, in real time; needs ffmpeg. Resolves as soon as it has begun. */
  speak(tone?: { seconds?: number; hz?: number }): Promise<{ readonly packets: number }>
  voice(): Promise<VoiceView>
  /** Audio that the member's client received and could decrypt. */
  hearing(options?: { reset?: boolean }): Promise<HearingReport>
  /** UDP traffic that the user, or a bot of this ID, sent: packets, gaps, losses. */
  packets(options?: { reset?: boolean }): Promise<PacketReport>
  /** By a moderator. */
  move(channelId: string): Promise<VoiceView>
  disconnect(code?: number): Promise<void>
  kick(): Promise<void>
}

export function createMemberClient({ call }: Transport, guildId: string, userId: string): MemberClient {
  const member = pathOf`/guilds/${guildId}/members/${userId}`
  const guild = pathOf`/guilds/${guildId}`
  const interact = (kind: string, body: { readonly waitMs?: number; readonly [key: string]: unknown }) =>
    call<Outcome>('POST', `${guild}/interactions/${kind}`, { body: { userId, ...body }, waitMs: body.waitMs })
  const post = <T>(deed: string, body: object = {}) => call<T>('POST', `${member}/${deed}`, { body })
  const read = <T>(what: string, { reset = false } = {}) => call<T>('GET', `${member}/${what}?reset=${reset}`)
  return {
    guildId,
    userId,
    say: (channelId, content, file) =>
      call('POST', guild + pathOf`/channels/${channelId}/messages`, {
        body: { userId, content, ...(file ? { file } : {}) },
      }),
    command: (command, options = {}, action = {}) => interact('command', { command, options, ...action }),
    autocomplete: (command, options, action) => interact('autocomplete', { command, options, ...action }),
    contextMenu: (command, targetId, action = {}) => interact('context-menu', { command, targetId, ...action }),
    press: (messageId, customId, action = {}) => interact('button', { messageId, customId, ...action }),
    select: (messageId, customId, values, action = {}) =>
      interact('select', { messageId, customId, values, ...action }),
    submit: (interactionId, fields) => call('POST', `${guild}/interactions/modal`, { body: { interactionId, fields } }),
    join: (channelId, options = {}) => post('join', { channelId, ...options }),
    leave: () => post('leave'),
    react: (channelId, messageId, emoji, on = true) =>
      call('POST', guild + pathOf`/channels/${channelId}/messages/${messageId}/reactions`, {
        body: { userId, emoji, on },
      }),
    mute: (muted = true) => post('mute', { muted }),
    deafen: (deafened = true) => post('deafen', { deafened }),
    speak: (tone = {}) => post('speak', tone),
    voice: () => call('GET', `${member}/voice`),
    hearing: (options) => read('hearing', options),
    packets: (options) => read('packets', options),
    move: (channelId) => post('move', { channelId }),
    disconnect: (code = 4014) => post('disconnect', { code }),
    kick: () => call('DELETE', member),
  }
}
