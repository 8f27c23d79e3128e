import { html, type Markup } from '../../../../../lib/html.ts'
import { joinLines } from '../../../../../lib/text.ts'
import type { QueueItems } from '../../../../../bot/player/queue/queue-items.ts'
import type { QueuedTrack } from '../../../../../bot/player/player-parts.ts'
import { isAtLeast, type ProjectRequest } from '../../../http/page-request.ts'
import { icon, type IconName } from '../../../../ui/icons.ts'
import { number } from '../../../ui/components.ts'
import { thumbnail } from '../artwork.ts'
import { clock } from '../chapters.ts'
import type { PlayerPlace } from '../search.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** One row for each of these places, from 0. */
export function queueRows(
  request: ProjectRequest,
  place: PlayerPlace,
  items: QueueItems,
  places: readonly number[],
): readonly Markup[] {
  return places.flatMap((at) => {
    const track = items.tracks[at]
    return track ? queueRow(request, place, { track, id: items.ids[at] ?? 0, position: at + 1 }) : []
  })
}

interface Row {
  readonly track: QueuedTrack
  readonly id: number
  /** The position from 1; the script counts rows itself. */
  readonly position: number
}

/** A row of the one form around the queue, so that it needs no form of its own. */
export function queueRow(request: ProjectRequest, place: PlayerPlace, { track, id, position }: Row): Markup {
  const w = PLAYER[request.language]
  const { title, author, lengthMs, isStream } = track.info
  const mayChange = isAtLeast(request.project.role, 'manager')
  const requester = requesterOf(request, place, track)
  const row = html`<li data-id="${id}">
    ${
      mayChange &&
      html`<input type="checkbox" name="id" value="${id}" aria-label="${w.select({ title })}" />
        <button type="button" class="grip" data-handle aria-label="${w.move({ title })}" data-scripted>
          ${icon('grip')}
        </button>`
    }
    <span class="place">${number(request.language, position)}</span>
    ${thumbnail(request, place, { artworkUrl: track.info.artworkUrl, id })}
    <span class="names"><b>${title}</b><small>${author}${requester && html` · ${requester}`}</small></span>
    <small class="length">${isStream ? w.stream : clock(lengthMs)}</small>
    ${
      mayChange &&
      html`<span class="row-actions">
        ${rowButton(place, { action: 'skip-to', id, label: w.playNow({ title }), picture: 'jump' })}
        ${rowButton(place, { action: 'next', id, label: w.playNext({ title }), picture: 'play-next' })}
        ${rowButton(place, { action: 'remove', id, label: w.remove({ title }), picture: 'cross' })}
      </span>`
    }
  </li>`
  // Thousands of them are sent: the spaces that make templates readable are not.
  return { markup: joinLines(row.markup) }
}

/** The requester's name in the guild. */
export function requesterOf(
  { context, language }: ProjectRequest,
  { bot, guildId }: PlayerPlace,
  { requesterId }: Pick<QueuedTrack, 'requesterId'>,
): string | null {
  if (requesterId === null) return null
  return context.fleet.memberName(bot.id, guildId, requesterId) ?? PLAYER[language].unknownMember
}

interface RowButton {
  readonly action: string
  readonly id: number
  readonly label: string
  readonly picture: IconName
}

function rowButton({ address }: PlayerPlace, { action, id, label, picture }: RowButton): Markup {
  return html`<button
    class="round"
    formaction="${address}/${action}"
    name="only"
    value="${id}"
    aria-label="${label}"
    title="${label}"
  >
    ${icon(picture)}
  </button>`
}
