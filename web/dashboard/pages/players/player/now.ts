import { html, type Markup } from '../../../../../lib/html.ts'
import type { PlayerInfo } from '../../../../../bot/player/player-info.ts'
import type { QueueItems } from '../../../../../bot/player/queue/queue-items.ts'
import { isAtLeast, type ProjectRequest } from '../../../http/page-request.ts'
import { icon, type IconName } from '../../../../ui/icons.ts'
import { chapterIndex, clock } from '../chapters.ts'
import { nowPlaying } from '../now-playing.ts'
import type { ShownPlayer } from '../search.ts'
import { requesterOf } from './queue-rows.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** The current track: sent again only when it looks different. */
export function nowPart(request: ProjectRequest, place: ShownPlayer, items: QueueItems): Markup {
  const w = PLAYER[request.language]
  const { current } = place.info
  if (!current) {
    return html`<div class="now">
      <span class="artwork">${icon('players')}</span>
      <div class="now-words">
        <p class="now-title">${w.nothing}</p>
        <p class="lead">${w.nothingHint}</p>
      </div>
    </div>`
  }
  const { uri } = current
  const requester = items.current && requesterOf(request, place, items.current)
  return nowPlaying(request, place, current, [
    requester ? html`<p class="hint">${w.requestedBy({ name: requester })}</p>` : null,
    uri !== null &&
      /^https?:/u.test(uri) &&
      html`<p class="hint">
        <a href="${uri}" rel="noreferrer" target="_blank">${w.from({ source: new URL(uri).host })}</a>
      </p>`,
  ])
}

/** The position, and the slider that seeks. */
export function seekBar(request: ProjectRequest, { info, address }: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  const { current, positionMs } = info
  const lengthMs = current?.lengthMs ?? 0
  const hasBar = current !== null && !current.isStream && lengthMs > 0
  const mayChange = isAtLeast(request.project.role, 'manager')
  const at = Math.min(positionMs, lengthMs)
  return html`<form method="post" action="${address}/seek" class="seek" data-seek ${!hasBar && { markup: 'hidden' }}>
    <input type="hidden" name="csrf" value="${request.csrf}" />
    <input
      type="range"
      name="positionMs"
      min="0"
      max="${lengthMs}"
      step="1000"
      value="${at}"
      aria-label="${w.position}"
      aria-valuetext="${clock(at)} / ${clock(lengthMs)}"
      ${!mayChange && { markup: 'disabled' }}
    />
    <span class="times"><span data-at>${clock(at)}</span><span data-length>${clock(lengthMs)}</span></span>
    ${mayChange && html`<button class="button small" data-plain>${w.seek}</button>`}
  </form>`
}

/** One form with a button for each. */
export function transport(request: ProjectRequest, { info, address }: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  const { paused, muted, current } = info
  const button = ({ action, picture, label, look = '', isHidden = false, needs = '' }: Control) => {
    const isOff = needs === 'current' && current === null
    return html`<button
      class="round ${look}"
      formaction="${address}/${action}"
      data-action="${action}"
      aria-label="${label}"
      title="${label}"
      data-needs="${needs}"
      ${isHidden && { markup: 'hidden' }}
      ${isOff && { markup: 'disabled' }}
    >
      ${icon(picture)}
    </button>`
  }
  const track = { needs: 'current' } as const
  return html`<form method="post" class="transport" data-actions aria-label="${w.controls}">
    <input type="hidden" name="csrf" value="${request.csrf}" />
    ${button({ action: 'previous', picture: 'previous', label: w.previous, ...track })}
    ${button({ action: 'pause', picture: 'pause', label: w.pause, look: 'main', isHidden: paused, ...track })}
    ${button({ action: 'resume', picture: 'play', label: w.resume, look: 'main', isHidden: !paused, ...track })}
    ${button({ action: 'skip', picture: 'skip', label: w.skip, ...track })}
    ${button({ action: 'mute', picture: 'volume', label: w.mute, isHidden: muted })}
    ${button({ action: 'unmute', picture: 'muted', label: w.unmute, isHidden: !muted })}
    ${button({ action: 'close', picture: 'stop', label: w.stop })}
  </form>`
}

interface Control {
  readonly action: string
  readonly picture: IconName
  readonly label: string
  readonly look?: string
  readonly isHidden?: boolean
  readonly needs?: '' | 'current'
}

/** The chapters of what plays, each a button that goes there; nothing where it has none. */
export function chaptersPart(request: ProjectRequest, { info, address }: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  const { chapters } = info
  if (chapters.length === 0) return html``
  const now = chapterIndex(info)
  const mayChange = isAtLeast(request.project.role, 'manager')
  const rows = chapters.map(({ title, startMs }, index) => {
    const words = html`<small>${clock(startMs)}</small> ${title}`
    return html`<li ${index === now && { markup: 'aria-current="true"' }}>
      ${
        mayChange
          ? html`<button class="as-link" name="chapter" value="${index + 1}">${words}</button>`
          : html`<span>${words}</span>`
      }
    </li>`
  })
  return html`<details class="panel" ${now >= 0 && { markup: 'open' }}>
    <summary>
      ${w.chapters} <small>${now >= 0 && w.chapterOf({ number: now + 1, count: chapters.length })}</small>
    </summary>
    <form method="post" action="${address}/chapter">
      <input type="hidden" name="csrf" value="${request.csrf}" />
      <ol class="chapters">
        ${rows}
      </ol>
    </form>
  </details>`
}

/** The track set to play next, or the autoplay suggestion at the end of the queue. */
export function nextPart(request: ProjectRequest, { info, address }: ShownPlayer, items: QueueItems): Markup {
  const w = PLAYER[request.language]
  const { nextTrack } = items
  if (nextTrack) {
    const mayChange = isAtLeast(request.project.role, 'manager')
    return html`<form method="post" action="${address}/unset-next" class="inline next-up">
      <input type="hidden" name="csrf" value="${request.csrf}" />
      <span>${w.setNext({ title: nextTrack.info.title })}</span>
      ${mayChange && html`<button class="button small">${w.unsetNext}</button>`}
    </form>`
  }
  if (items.tracks.length > 0) return html``
  return html`<p class="hint">${w.queueEmpty} ${info.suggestion && w.suggestion({ title: info.suggestion.title })}</p>`
}

/** Player state that the script shows itself: each value is sent again when it has changed. */
export function stateOf(info: PlayerInfo) {
  const { paused, muted, loop, filters, crossfadeMs, fadeMs, sleep, current } = info
  return {
    paused,
    muted,
    loop,
    volume: Math.round(info.volume),
    autoplay: info.autoplay ? 'on' : 'off',
    crossfadeMs,
    fadeMs,
    preset: filters.preset ?? (Object.keys(filters).length > 0 ? 'custom' : ''),
    filters,
    sleep: sleep === null ? '0' : (sleep.endsAt ?? ''),
    lengthMs: current === null || current.isStream ? 0 : current.lengthMs,
    hasTrack: current !== null,
  }
}
