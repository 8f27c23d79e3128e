import { Fault } from '../../../lib/errors.ts'
import type { PlayerScope, PlayerService } from '../../player-service.ts'
import type { PlayerInfo, Requesters } from '../../player/player-info.ts'
import { showTime, nameTrack } from '../i18n/format.ts'
import { escapeMarkdown, type APIEmbed } from 'discord.js'
import type { Recommendation } from '../../autoplay/song.ts'
import { SOURCE_FACTS, type SourceFacts } from '../../sources/settings.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import type { Content } from '../core/reply.ts'
import { cut } from '../core/autocomplete.ts'
import { drawChapterLine } from '../chapters/chapter-line.ts'
import { plain } from '../core/embed-format.ts'
import { describeSleepTimer } from '../sound/sleep-words.ts'
import type { Words } from '../common-text.ts'
import { drawControls, drawEndedControls, LOOPS } from './card-controls.ts'

const COLOUR = { playing: 0x2f_9e_5b, paused: 0x8a_8f_98 }
/** Width of the bar, which fits a phone with the time beside it. */
const BAR_STEPS = 6

/** The now-playing card as a message. The same facts make the same card. */
export function drawCard(facts: CardFacts, words: Words): Content {
  const { artworkUrl } = facts.player.current
  const cover = isPicture(artworkUrl) ? { thumbnail: { url: artworkUrl } } : {}
  return { embeds: [{ ...drawEmbed(facts, words), ...cover }], rows: drawControls(facts.player, words) }
}

/** What the card becomes when its music is over. */
export function drawEndedCard(words: Words, isStopped: boolean): Content {
  const title = `⏹️ ${isStopped ? words.card.stopped : words.card.finished}`
  return { embeds: [{ title, color: COLOUR.paused }], rows: drawEndedControls(words) }
}

/** Without the cover, which has another place in each kind of card. */
export function drawEmbed(facts: CardFacts, words: Words): APIEmbed {
  const { player, requesters } = facts
  const { card } = words
  const { current, paused, streamTitle, silenced, recommendation } = player
  const lines = [
    nameTrack(current),
    ...(current.author === '' ? [] : [plain(current.author, 100)]),
    ...(streamTitle === null ? [] : [`📻 ${plain(streamTitle, 200)}`]),
    '',
    drawProgress(player, card.live),
    ...[drawChapterLine(player), drawSegmentLine(player, words)].filter((line) => line !== null),
    drawState(player, words),
    [
      ...(requesters.current === null ? [] : [card.requestedBy({ member: `<@${requesters.current}>` })]),
      drawSource(current, card),
    ].join(' · '),
    ...(recommendation === null ? [] : [`✨ ${explainChoice(recommendation, card)}`]),
    ...(player.sleep === null ? [] : [`😴 ${describeSleepTimer(player.sleep, words.sleep)}`]),
    ...(silenced === null ? [] : [`⚠️ ${card.silenced[silenced]}`]),
  ]
  return {
    title: `${paused ? '⏸️' : '🎵'} ${paused ? card.paused : card.playing}`,
    description: lines.join('\n'),
    color: paused ? COLOUR.paused : COLOUR.playing,
    fields: drawNext(facts, words),
  }
}

export function isPicture(url: string | null): url is string {
  return url !== null && url.length <= 2048 && /^https?:\/\/\S+$/u.test(url)
}

function drawNext(facts: CardFacts, { card }: Words): NonNullable<APIEmbed['fields']> {
  const { queue, suggestion } = facts.player
  const next = upNext(facts)
  if (!next) return []
  const waiting = queue.length + (facts.nextTrack ? 1 : 0)
  const name = `${next === suggestion ? '✨ ' : ''}${card.next}${waiting > 0 ? ` · ${card.waiting({ count: waiting })}` : ''}`
  return [{ name, value: `${nameTrack(next)} \`${next.isStream ? card.live : showTime(next.lengthMs)}\`` }]
}

/** Tokens of links name their service otherwise than `MUSIC_SOURCES` does. */
const OTHER_NAMES: Readonly<Record<string, string>> = { applemusic: 'apple' }

/** The source of the track, by its name for members. */
function drawSource({ encoded, uri }: EncodedTrack, { library }: Words['card']): string {
  const { sourceName } = decodeToken(encoded)
  if (sourceName === 'local') return library
  if (sourceName === 'http' && uri !== null && URL.canParse(uri)) return plain(new URL(uri).hostname, 60)
  const facts: Readonly<Record<string, SourceFacts>> = SOURCE_FACTS
  return facts[OTHER_NAMES[sourceName] ?? sourceName]?.title ?? plain(sourceName, 40)
}

/** Why autoplay chose the track. */
function explainChoice({ because, of }: Recommendation, { autoplay }: Words['card']): string {
  const words = autoplay.because[because]
  return typeof words === 'string' ? words : words({ name: `**${escapeMarkdown(cut(of ?? '', 80))}**` })
}

function drawProgress({ current, positionMs }: CardFacts['player'], live: string): string {
  if (current.isStream) return `🔴 ${live} · ${showTime(positionMs)}`
  if (current.lengthMs <= 0) return showTime(positionMs)
  const at = Math.min(Math.floor((positionMs / current.lengthMs) * BAR_STEPS), BAR_STEPS - 1)
  const bar = `${'▬'.repeat(at)}🔘${'▬'.repeat(BAR_STEPS - 1 - at)}`
  return `${bar} \`${showTime(positionMs)} / ${showTime(current.lengthMs)}\``
}

function drawState({ volume, muted, loop, channelId }: PlayerInfo, words: Words): string {
  const loudness = muted ? '🔇' : `🔊 ${words.percent({ value: Math.round(volume) })}`
  return [`<#${channelId}>`, loudness, ...(loop === 'off' ? [] : [LOOPS[loop]])].join(' · ')
}

/** Time for which the card names a skipped segment. */
const SAID_MS = 30_000

/** Line of the card about a segment that was skipped a moment ago or is muted now; null if there is none. */
function drawSegmentLine(
  { segments, positionMs }: Pick<PlayerInfo, 'segments' | 'positionMs'>,
  { segments: { names, words } }: Words,
): string | null {
  const muted = segments.find(
    ({ action, startMs, endMs }) => action === 'mute' && startMs <= positionMs && positionMs < endMs,
  )
  if (muted) return `🔇 ${words.muted({ what: names[muted.category] })}`
  const skipped = segments.findLast(
    ({ action, endMs }) => action === 'skip' && endMs <= positionMs && positionMs < endMs + SAID_MS,
  )
  return skipped
    ? `⏩ ${words.skipped({ what: names[skipped.category], length: showTime(skipped.endMs - skipped.startMs) })}`
    : null
}

export interface CardFacts {
  readonly player: PlayerInfo & { readonly current: EncodedTrack }
  readonly requesters: Requesters
  /** Track that plays next, ahead of the queue; null if the queue's turn is next. */
  readonly nextTrack: EncodedTrack | null
}

/** Null if nothing plays. */
export async function readCard(
  music: Pick<PlayerService, 'info' | 'requesters' | 'nextTrack'>,
  scope: PlayerScope,
  guildId: string,
): Promise<CardFacts | null> {
  try {
    const player = await music.info(scope, guildId)
    const { current } = player
    if (!current) return null
    const requesters = await music.requesters(scope, guildId)
    const { track: nextTrack } = await music.nextTrack(scope, guildId)
    return { player: { ...player, current }, requesters, nextTrack }
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found') return null
    throw err
  }
}

/** Returns the track that plays when the current one has ended, as far as it is known. */
function upNext({ player, nextTrack }: CardFacts): EncodedTrack | null {
  const { current, queue, loop, suggestion } = player
  if (nextTrack) return nextTrack
  if (loop === 'track') return current
  return queue[0] ?? (loop === 'queue' ? current : suggestion)
}
