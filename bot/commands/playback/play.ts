import { answerWithCard } from '../card/card-answer.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { choice, file, optional, text, type SentFile, labelsOf, withOptions } from '../core/options.ts'
import { MOST_CHOICES, type AutocompleteChoice } from '../core/autocomplete.ts'
import { Fault } from '../../../lib/errors.ts'
import { Refusal, say, type Reply } from '../core/reply.ts'
import { When } from '../../player/inputs.ts'
import { attempt } from '../permissions/put-to-vote.ts'
import { findPlayer } from '../permissions/rules.ts'
import { need } from '../../permissions/permission-table.ts'
import type { VoteSubject } from '../../permissions/votes.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import { toTrack } from '../../tracks/track.ts'
import { LARGEST_UPLOAD_BYTES } from '../../sources/uploads/uploads.ts'
import type { PlayRequest } from '../../player-service.ts'
import { nameTrack } from '../i18n/format.ts'
import { plainQuery } from '../../../lib/music/plain-query.ts'
import { pick } from '../../../lib/texts/languages.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const playText = textOf('playback', 'play')
const playLabels = labelsOf(playText, 'play')

const MOST_SUGGESTED = 10
const MOST_RECENT = 50
const MOST_MEGABYTES = LARGEST_UPLOAD_BYTES / 1_000_000

const when = optional(choice(When.options))

export const play = command({
  name: 'play',
  labels: playLabels,
  rule: 'joiner',
  options: { query: text({ max: 500, suggest: suggestTracks }), when },
  run: (invocation, context) =>
    runPlay(invocation, context, { ...context.suggestions.take(invocation.options.query), ...placeOf(invocation) }),
})

/** A command of its own: an app opens only required options, and one command can't require a song or a file. */
export const playFile = command({
  name: 'play-file',
  labels: withOptions(
    labelsOf(playText, 'playFile'),
    pick(playLabels, ({ options }) => ({ when: options?.['when'] ?? '' })),
  ),
  rule: 'joiner',
  options: { file: file(), when },
  run: (invocation, context) =>
    runPlay(invocation, context, {
      query: uploadUrl(invocation.options.file, invocation),
      isUpload: true,
      ...placeOf(invocation),
    }),
})

function placeOf({ options: { when } }: Invocation<{ readonly when: When | null }>): Pick<TrackRequest, 'when'> {
  return when === null ? {} : { when }
}

/** @throws {Refusal} for a file that is too large, or no music by its name. */
export function uploadUrl({ url, bytes, mediaType }: SentFile, { words }: Invocation): string {
  if (bytes > LARGEST_UPLOAD_BYTES) throw new Refusal(words.play.fileTooLarge({ megabytes: MOST_MEGABYTES }))
  if (mediaType !== null && !/^(?:audio|video|application)\//u.test(mediaType)) throw new Refusal(words.play.noMusic)
  return url
}

type TrackRequest = Pick<PlayRequest, 'query' | 'encoded' | 'playlist' | 'when' | 'isUpload'>

/**
 * Plays or queues tracks for a member in their voice channel.
 * @throws {PutToVote} for what goes ahead of tracks that others wait for.
 */
export async function runPlay(invocation: Invocation, context: CommandContext, input: TrackRequest): Promise<Reply> {
  const { guildId, channelId, words } = invocation
  const { when = 'last' } = input
  const { track, position, added, total } =
    when === 'last' || !(await findPlayer(invocation, context))
      ? await addTracks(invocation, context, input)
      : await attempt(invocation, context, {
          key: `play ${JSON.stringify(input)}`,
          subject: subjectOf(input, when),
          needs: (requests) => [...need('playNext', requests), ...(when === 'now' ? need('skip', requests) : [])],
          run: () => addTracks(invocation, context, input),
        })
  const shown = nameTrack(track)
  const { trouble } = words.standing
  const requestChannelId = await context.cards.requestChannel(guildId)
  const isHidden = requestChannelId !== null && !invocation.place.mayPost(requestChannelId)
  const tell = (text: string): Reply =>
    say(isHidden ? `${text}\n⚠️ ${trouble({ channel: `<#${requestChannelId}>` })}` : text)
  const whole = added > 1 ? words.play.queuedMany({ count: added, track: shown }) : null
  const isPart = total !== null && added < total
  const many = isPart ? words.play.queuedPart({ count: added, total, track: shown }) : whole
  if (position === 0) return answerWithCard(invocation, context, tell(many ?? words.play.playing({ track: shown })))
  context.cards.openIfNone(guildId, channelId)
  return tell(many ?? words.play.queued({ track: shown, position }))
}

async function addTracks(invocation: Invocation, { music, settings, cards }: CommandContext, input: TrackRequest) {
  const { scope, guildId, member } = invocation
  cards.hold(guildId)
  const rules = await settings.get(scope.botId, guildId)
  try {
    return await music.play(scope, guildId, {
      ...input,
      ...(member.voiceChannelId === null ? {} : { channelId: member.voiceChannelId }),
      requesterId: member.id,
      rules,
    })
  } catch (err) {
    const host = hostOf(input.query)
    if (err instanceof Fault && err.reason === 'unreachable' && host !== '')
      throw new Refusal(invocation.words.failed.host({ host }))
    throw err
  }
}

function hostOf(query = ''): string {
  return URL.parse(query)?.host ?? ''
}

function subjectOf({ encoded, query, playlist }: TrackRequest, when: 'next' | 'now'): VoteSubject {
  const track = encoded === undefined ? null : decodeToken(encoded)
  return { asked: { name: 'play', when, query: query ?? null, count: playlist?.length ?? 0 }, track }
}

/** What a search finds; the last tracks before anything is typed. */
export async function suggestTracks(typed: string, invocation: Invocation, context: CommandContext) {
  const q = plainQuery(typed)
  if (q === '') return suggestKnown(invocation, context)
  // A link is what it is; searching for it would only cost.
  if (/^https?:/iu.test(q)) return []
  return context.suggestions.offer(q, () => context.music.search({ q, limit: MOST_SUGGESTED }))
}

/** What the server played last, then the member's favourites. */
async function suggestKnown(
  { scope: { botId }, guildId, member }: Invocation,
  { history, collections, suggestions }: CommandContext,
): Promise<readonly AutocompleteChoice[]> {
  const plays = await history.list({ botId, guildId }, MOST_RECENT)
  const played = plays.filter(({ ended }) => ended !== 'failed').map(({ track }) => track)
  const kept = await collections.favourites({ botId, userId: member.id }, MOST_CHOICES)
  return [...new Set([...played, ...kept])]
    .slice(0, MOST_CHOICES)
    .map((encoded) => suggestions.toChoice({ ...toTrack(decodeToken(encoded)), encoded }))
}
