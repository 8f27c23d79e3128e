import { GatewayDispatchEvents, type APIMessage, type APIPoll, type APIUser } from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { announceUpdate, type Place } from '../messages.ts'
import { tell, type Guild, type World } from '../world.ts'

/** @throws {DiscordError} for a message without a poll. */
function pollOf({ poll }: APIMessage): APIPoll {
  if (!poll) throw new DiscordError('unknownMessage')
  return poll
}

export interface Vote {
  readonly userId: string
  readonly answerId: number
  readonly on: boolean
}

/** Casts or takes back the vote of one person. Without multiple answers another vote takes the place of the first. */
export function vote(world: World, guild: Guild, message: APIMessage, { userId, answerId, on }: Vote): void {
  const poll = pollOf(message)
  assertAnswer(poll, answerId)
  if (isOver(world, poll)) throw new DiscordError('pollExpired')
  const votes = world.votes.get(message.id) ?? new Map<number, Set<string>>()
  world.votes.set(message.id, votes)
  const others = poll.allow_multiselect ? [] : [...votes].filter(([id, users]) => id !== answerId && users.has(userId))
  for (const [id] of on ? others : []) change(id, false)
  change(answerId, on)
  poll.results = { is_finalized: false, answer_counts: countsOf(votes) }

  function change(id: number, isCast: boolean): void {
    const users = votes.get(id) ?? new Set()
    if (users.has(userId) === isCast) return
    if (isCast) users.add(userId)
    else users.delete(userId)
    votes.set(id, users)
    const { MessagePollVoteAdd, MessagePollVoteRemove } = GatewayDispatchEvents
    const d = {
      user_id: userId,
      channel_id: message.channel_id,
      message_id: message.id,
      guild_id: guild.id,
      answer_id: id,
    }
    tell(world, guild.id, { t: isCast ? MessagePollVoteAdd : MessagePollVoteRemove, d })
  }
}

function countsOf(votes: ReadonlyMap<number, ReadonlySet<string>>) {
  return [...votes]
    .filter(([, users]) => users.size > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([id, { size }]) => ({ id, count: size, me_voted: false }))
}

/** Voters of an answer, in the order of their IDs. */
export function votersOf(world: World, message: APIMessage, answerId: number): readonly APIUser[] {
  assertAnswer(pollOf(message), answerId)
  const ids = [...(world.votes.get(message.id)?.get(answerId) ?? [])]
  return ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).flatMap((id) => world.users.get(id) ?? [])
}

/** Ends a poll now, with its counts. */
export function expirePoll(world: World, place: Place, message: APIMessage): APIMessage {
  const poll = pollOf(message)
  if (isOver(world, poll)) throw new DiscordError('pollExpired')
  poll.expiry = new Date(world.now()).toISOString()
  poll.results = { is_finalized: true, answer_counts: poll.results?.answer_counts ?? [] }
  announceUpdate(world, place, message)
  return message
}

function isOver(world: World, { expiry }: APIPoll): boolean {
  return expiry !== null && Date.parse(expiry) <= world.now()
}

function assertAnswer({ answers }: APIPoll, answerId: number): void {
  if (!answers.some(({ answer_id: id }) => id === answerId)) throw new DiscordError('unknownPollAnswer')
}
