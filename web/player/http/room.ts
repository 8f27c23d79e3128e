import type { WebMember } from '../../../bot/commands/web/web-member.ts'
import type { LiveStream } from '../../http/event-streams.ts'
import type { WebPlayerVisitor } from '../../../db/people/web-player-access.ts'

export interface OpenPage {
  readonly visitor: WebPlayerVisitor
  readonly secret: string
  readonly member: WebMember
}

/** The state of the member who looks, as their page gets it. */
export async function meOf(member: WebMember): Promise<object> {
  const { userId, name, guildName, voiceChannelId } = member
  const [rights, kept] = await Promise.all([member.rights(), member.kept()])
  return { userId, name, guildName, voiceChannelId, rights, kept }
}

/** An open page. `member` is as they were at the last look. */
export interface Viewer extends Omit<OpenPage, 'member'> {
  readonly stream: LiveStream
  member: WebMember
  /** The member's own state as last sent. */
  sentMe: string
}

/** The open pages of one guild and project. */
export interface Room {
  readonly viewers: Set<Viewer>
  /** The last state sent, by the player of each bot. */
  readonly sent: Map<string, SentPlayer>
  isLooking: boolean
  /** Something changed during the look. */
  isDue: boolean
}

/** The last state sent of a player. */
export interface SentPlayer {
  readonly json: string
  readonly digest: string
  /** When the track would have been at its start; null while it stands still. */
  readonly startedAtMs: number | null
}
