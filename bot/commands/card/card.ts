import {
  ButtonStyle,
  ComponentType,
  escapeMarkdown,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
} from 'discord.js'
import type { Recommendation } from '../../autoplay/song.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import { CARD_ID, type CardAction } from './card-id.ts'
import type { Row } from '../core/reply.ts'
import { cut } from '../core/autocomplete.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import type { Words } from '../common-text/index.ts'

/** What the now-playing card shows. */
export interface CardFacts {
  readonly player: PlayerInfo & { readonly current: EncodedTrack }
  readonly requesterId: string | null
}

const COLOUR = { playing: 0x2f_9e_5b, paused: 0x8a_8f_98 }
const BAR_STEPS = 16
const LOOPS = { off: '➡️', track: '🔂', queue: '🔁' } as const

/** The now-playing card as a message. The same facts make the same card. */
export function drawCard({ player, requesterId }: CardFacts, words: Words) {
  return { embeds: [drawEmbed({ player, requesterId }, words)], rows: drawButtons(player) }
}

function drawEmbed({ player, requesterId }: CardFacts, { card }: Words): APIEmbed {
  const { current, paused, queue, privacyCode, streamTitle, silenced, suggestion, recommendation } = player
  const lines = [
    nameTrack(current),
    ...(current.author === '' ? [] : [escapeMarkdown(cut(current.author, 100))]),
    ...(streamTitle === null ? [] : [`📻 ${escapeMarkdown(cut(streamTitle, 200))}`]),
    '',
    drawProgress(player, card.live),
    drawState(player),
    ...(silenced === null ? [] : [`⚠️ ${card.silenced[silenced]}`]),
    ...(requesterId === null ? [] : [card.requestedBy(`<@${requesterId}>`)]),
    ...(recommendation === null ? [] : [`✨ ${explainChoice(recommendation, card)}`]),
  ]
  const [following] = queue
  return {
    title: `${paused ? '⏸️' : '🎵'} ${paused ? card.paused : card.playing}`,
    description: lines.join('\n'),
    color: paused ? COLOUR.paused : COLOUR.playing,
    ...(isPicture(current.artworkUrl) ? { thumbnail: { url: current.artworkUrl } } : {}),
    fields: [
      ...(!following && suggestion ? [{ name: `✨ ${card.next}`, value: nameTrack(suggestion) }] : []),
      ...(following ? [{ name: `${card.next} · ${card.waiting(queue.length)}`, value: nameTrack(following) }] : []),
      ...(privacyCode === null ? [] : [{ name: `🔒 ${card.privacyCode}`, value: inGroups(privacyCode) }]),
    ],
  }
}

/** Why autoplay chose the track. */
function explainChoice({ because, of }: Recommendation, { autoplay }: Words['card']): string {
  const words = autoplay.because[because]
  return typeof words === 'string' ? words : words(`**${escapeMarkdown(cut(of ?? '', 80))}**`)
}

function drawProgress({ current, positionMs }: CardFacts['player'], live: string): string {
  if (current.isStream) return `🔴 ${live} · ${showTime(positionMs)}`
  if (current.lengthMs <= 0) return showTime(positionMs)
  const at = Math.min(Math.floor((positionMs / current.lengthMs) * BAR_STEPS), BAR_STEPS - 1)
  const bar = `${'▬'.repeat(at)}🔘${'▬'.repeat(BAR_STEPS - 1 - at)}`
  return `${bar} \`${showTime(positionMs)} / ${showTime(current.lengthMs)}\``
}

function drawState({ volume, muted, loop }: PlayerInfo): string {
  return [muted ? '🔇' : `🔊 ${Math.round(volume)} %`, LOOPS[loop]].join(' · ')
}

function drawButtons({ paused, loop, muted }: PlayerInfo): readonly Row[] {
  return [
    row([
      button('previous', '⏮️'),
      button('pause', paused ? '▶️' : '⏸️', ButtonStyle.Primary),
      button('skip', '⏭️'),
      button('loop', LOOPS[loop], loop === 'off' ? ButtonStyle.Secondary : ButtonStyle.Success),
      button('shuffle', '🔀'),
    ]),
    row([
      button('quieter', '🔉'),
      button('louder', '🔊'),
      button('mute', muted ? '🔈' : '🔇', muted ? ButtonStyle.Success : ButtonStyle.Secondary),
      button('queue', '📜'),
      button('lyrics', '🎤'),
    ]),
  ]
}

function row(components: APIButtonComponentWithCustomId[]): Row {
  return { type: ComponentType.ActionRow, components }
}

function button(
  action: CardAction,
  emoji: string,
  style: APIButtonComponentWithCustomId['style'] = ButtonStyle.Secondary,
): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style, emoji: { name: emoji }, custom_id: CARD_ID.of(action) }
}

/** In the groups of five that Discord itself shows. */
function inGroups(code: string): string {
  return `\`${code.replaceAll(/(.{5})(?=.)/gu, '$1 ')}\``
}

function isPicture(url: string | null): url is string {
  return url !== null && url.length <= 2048 && /^https?:\/\/\S+$/u.test(url)
}
