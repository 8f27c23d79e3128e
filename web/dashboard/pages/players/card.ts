import { html, type Markup } from '../../../../lib/html.ts'
import { icon, type IconName } from '../../../ui/icons.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { clock } from './chapters.ts'
import { nowPlaying } from './now-playing.ts'
import { rateOf } from './player/position.ts'
import type { ShownPlayer } from './search.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')
const PLAYERS = textsOf('dashboard-players')

/** The number of queued tracks on a card; the player's own page has all. */
const MOST_NAMED = 3

/** A player's card: the current track and the common actions. The script replaces parts that have changed. */
export function playerCard(request: ProjectRequest, place: ShownPlayer): Markup {
  const { guildName, channelName, bot, address, info } = place
  const id = `player-${bot.id}-${place.guildId}`
  const parts = cardParts(request, place)
  const part = (name: keyof typeof parts) => html`<div data-part="${name}">${{ markup: parts[name] }}</div>`
  return html`<article class="player" id="${id}" aria-labelledby="${id}-title">
    <header>
      <h2 id="${id}-title"><a href="${address}">${guildName}</a></h2>
      <small>${channelName} · ${bot.name}</small>
    </header>
    ${part('now')}
    <div class="progress" data-progress data-position="${info.positionMs}" data-rate="${rateOf(info)}">
      <div data-part="length">${length(request, place, info.positionMs)}</div>
    </div>
    ${part('controls')} ${part('queue')}
  </article>`
}

/** The changing parts of a card, as markup. The page advances positions itself and gets an update on a jump. */
export function cardParts(request: ProjectRequest, place: ShownPlayer) {
  return {
    now: now(request, place).markup,
    length: length(request, place, 0).markup,
    controls: isAtLeast(request.project.role, 'manager') ? controls(request, place).markup : '',
    queue: waiting(request, place).markup,
  }
}

function now(request: ProjectRequest, place: ShownPlayer): Markup {
  const { current } = place.info
  return current ? nowPlaying(request, place, current) : html`<p class="lead">${PLAYER[request.language].nothing}</p>`
}

function length({ language }: ProjectRequest, { info: { current } }: ShownPlayer, positionMs: number): Markup {
  const w = PLAYER[language]
  if (!current) return html``
  if (current.isStream || current.lengthMs === 0) return html`<span>${w.stream}</span>`
  return html`<progress aria-label="${w.position}" max="${current.lengthMs}" value="${positionMs}"></progress>
    <span data-clock>${clock(positionMs)}</span><span>${clock(current.lengthMs)}</span>`
}

function controls(request: ProjectRequest, { info, address }: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  const button = (action: string, picture: IconName, label: string) =>
    html`<button
      class="round"
      formaction="${address}/${action}"
      name="back"
      value="list"
      aria-label="${label}"
      title="${label}"
    >
      ${icon(picture)}
    </button>`
  const hasTrack = info.current !== null
  return html`<form method="post" class="transport">
    <input type="hidden" name="csrf" value="${request.csrf}" />
    ${hasTrack && button('previous', 'previous', w.previous)}
    ${hasTrack && (info.paused ? button('resume', 'play', w.resume) : button('pause', 'pause', w.pause))}
    ${hasTrack && button('skip', 'skip', w.skip)}
    ${info.muted ? button('unmute', 'muted', w.unmute) : button('mute', 'volume', w.mute)}
    ${button('close', 'stop', w.stop)}
  </form>`
}

function waiting(request: ProjectRequest, { info, address }: ShownPlayer): Markup {
  const w = PLAYERS[request.language]
  const named = info.queue.slice(0, MOST_NAMED)
  return html`<div class="up-next">
    ${
      named.length === 0
        ? html`<p class="hint">${w.queueEmpty}</p>`
        : html`<ol>
            ${named.map(({ title, author }) => html`<li><b>${title}</b> <small>${author}</small></li>`)}
          </ol>`
    }
    <a class="button small" href="${address}"
      >${info.queue.length > 3 ? w.openWithQueue({ count: info.queue.length }) : w.open}</a
    >
  </div>`
}
