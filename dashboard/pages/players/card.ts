import { html, type Markup } from '../../../api/docs/html.ts'
import type { EncodedTrack } from '../../../bot/tracks/track.ts'
import { inlineForm } from '../../ui/forms.ts'
import { icon } from '../../ui/icons.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import type { Place } from './search.ts'
import { chapterForm, chapterLine, clock } from './chapters.ts'
import { PLAYER_ACTIONS } from './action-table.ts'
import { coverPath } from './artwork.ts'
import { PLAYERS } from './words.ts'

/** What the crossfade can be set to here; commands and keys know the milliseconds between. */
const CROSSFADES_MS = [0, 2000, 4000, 6000, 8000, 10_000, 12_000]

/** As many as are shown; a queue can have thousands. */
const MOST_SHOWN = 25

export function addressOf({ project }: ProjectRequest, { bot, guildId }: Pick<Place, 'bot' | 'guildId'>): string {
  return `/dashboard/projects/${project.id}/players/${bot.id}/${guildId}`
}

/** One player: what plays, what can be done about it, and what waits. The script replaces parts that have changed. */
export function playerCard(request: ProjectRequest, place: Place): Markup {
  const { guildName, channelName, bot } = place
  const id = `${bot.id}-${place.guildId}`
  const mayChange = isAtLeast(request.project.role, 'manager')
  return html`<article class="player" id="player-${id}" aria-labelledby="player-${id}-title">
    <header>
      <h2 id="player-${id}-title">${guildName}</h2>
      <small
        >${channelName} · ${bot.name} ·
        <a href="${addressOf(request, place)}/sound">${PLAYERS[request.language].sound}</a></small
      >
    </header>
    <div data-part="now-${id}">${now(request, place)}</div>
    ${mayChange && html`<div data-part="controls-${id}">${controls(request, place)}</div>`}
    <div data-part="queue-${id}">${queue(request, place, mayChange)}</div>
  </article>`
}

function now(request: ProjectRequest, place: Place): Markup {
  const w = PLAYERS[request.language]
  const { current, silenced, streamTitle, positionMs, paused, recommendation } = place.info
  if (!current) return html`<p class="lead">${w.nothing}</p>`
  const { title, author, lengthMs, isStream } = current
  return html`<div class="now">
      ${artwork(request, place, current)}
      <div class="now-words">
        <p class="now-title">${streamTitle ?? title}</p>
        <p class="lead">${streamTitle === null ? author : title}</p>
        ${recommendation && html`<p class="hint">✨ ${w.autoplay[recommendation.because](recommendation.of ?? '')}</p>`}
      </div>
    </div>
    ${
      silenced !== null &&
      html`<div class="note warn">
        ${icon('warning')}
        <div>${w.silenced[silenced]}</div>
      </div>`
    }
    ${
      isStream
        ? html`<p class="progress"><span>${w.stream}</span></p>`
        : html`<div class="progress">
            <progress
              aria-label="${w.position}"
              max="${lengthMs}"
              value="${Math.min(positionMs, lengthMs)}"
              data-position="${positionMs}"
              data-moving="${paused || silenced !== null ? 'no' : 'yes'}"
            ></progress>
            <span data-clock>${clock(positionMs)}</span><span>${clock(lengthMs)}</span>
          </div>`
    }
    ${chapterLine(request, place.info)}`
}

function artwork(request: ProjectRequest, place: Place, { artworkUrl, encoded }: EncodedTrack): Markup {
  if (artworkUrl === null) return html`<span class="artwork">${icon('players')}</span>`
  // The track is in the address, so that another one is another picture to the browser.
  const version = encoded.slice(-24).replaceAll(/\W/g, '')
  const cover = coverPath(artworkUrl, request.context.baseUrl())
  return html`<img
    class="artwork"
    src="${cover === null ? `${addressOf(request, place)}/artwork?v=${version}` : `${cover}?size=small`}"
    alt=""
    width="72"
    height="72"
  />`
}

function controls(request: ProjectRequest, place: Place): Markup {
  const w = PLAYERS[request.language]
  const { volume, loop } = place.info
  const to = addressOf(request, place)
  const id = `${place.bot.id}-${place.guildId}`
  const volumeForm = html`<label class="volume"
    ><span>${w.volume}</span
    ><input type="range" id="volume-${id}" name="volume" min="0" max="200" step="5" value="${volume}" data-send />
    <output>${volume} %</output> <button class="button small" data-plain>${w.set}</button></label
  >`
  const loops = (['off', 'track', 'queue'] as const).map(
    (value) => html`<option value="${value}" ${value === loop && { markup: 'selected' }}>${w.loops[value]}</option>`,
  )
  const loopForm = html`<label class="volume"
    ><span>${w.loop}</span
    ><select id="loop-${id}" name="loop" data-send>
      ${loops}
    </select>
    <button class="button small" data-plain>${w.set}</button></label
  >`
  const crossfadeForm = html`<label class="volume"
    ><span>${w.crossfade}</span
    ><select id="crossfade-${id}" name="crossfadeMs" data-send>
      ${crossfades(request, place)}
    </select>
    <button class="button small" data-plain>${w.set}</button></label
  >`
  return html`<div class="controls">
    <div class="actions">${actionButtons(request, place, 'player')}</div>
    <div class="sound">
      ${inlineForm(request, `${to}/volume`, volumeForm)} ${inlineForm(request, `${to}/loop`, loopForm)}
      ${chapterForm(request, place.info, { to, id })} ${sleepForm(request, place)}
      ${inlineForm(request, `${to}/crossfade`, crossfadeForm)}
    </div>
  </div>`
}

function minutesUntil(time: string): number {
  return Math.max(Math.ceil((Date.parse(time) - Date.now()) / 60_000), 1)
}

/** A running timer is the first choice, so that each of the others sets another. */
function sleepForm(request: ProjectRequest, place: Place): Markup {
  const w = PLAYERS[request.language]
  const { sleep, current } = place.info
  const endsAt = sleep?.endsAt ?? null
  const order = ['0', '', '15', '30', '45', '60', '90', '120']
  const choices = order
    .filter((value) => value !== '' || (current !== null && !current.isStream))
    .map((value) => {
      const isSet = endsAt === null && value === (sleep === null ? '0' : '')
      return html`<option value="${value}" ${isSet && { markup: 'selected' }}>${w.sleepChoices[value] ?? ''}</option>`
    })
  const running =
    endsAt !== null && html`<option value="" disabled selected>${w.sleepsIn(minutesUntil(endsAt))}</option>`
  const fields = html`<label class="volume"
    ><span>${w.sleep}</span
    ><select id="sleep-${place.bot.id}-${place.guildId}" name="minutes" data-send>
      ${running}${choices}
    </select>
    <button class="button small" data-plain>${w.set}</button></label
  >`
  return inlineForm(request, `${addressOf(request, place)}/sleep`, fields)
}

/** What is set by other ways is a choice, too. */
function crossfades({ language }: ProjectRequest, { info: { crossfadeMs } }: Place): readonly Markup[] {
  const choices = [...new Set([...CROSSFADES_MS, crossfadeMs])].toSorted((a, b) => a - b)
  return choices.map((ms) => {
    const label = ms === 0 ? PLAYERS[language].noCrossfade : `${(ms / 1000).toLocaleString(language)} s`
    return html`<option value="${ms}" ${ms === crossfadeMs && { markup: 'selected' }}>${label}</option>`
  })
}

function actionButtons(request: ProjectRequest, place: Place, where: 'player' | 'queue'): readonly Markup[] {
  const to = addressOf(request, place)
  return Object.entries(PLAYER_ACTIONS).flatMap(([name, { button }]) => {
    if (button?.place !== where || !button.isOffered(place.info)) return []
    const label = button.label[request.language]
    const look = where === 'queue' ? 'button small quiet' : 'button small'
    const id = `${name}-${place.bot.id}-${place.guildId}`
    return [inlineForm(request, `${to}/${name}`, html`<button class="${look}" id="${id}">${label}</button>`)]
  })
}

function queue(request: ProjectRequest, place: Place, mayChange: boolean): Markup {
  const w = PLAYERS[request.language]
  const { queue: waiting } = place.info
  const to = addressOf(request, place)
  return html`<div class="queue">
    <div class="queue-head">
      <h3>${w.queue}</h3>
      ${
        mayChange &&
        html`<div class="actions">
          ${actionButtons(request, place, 'queue')}
          <a class="button small" href="${to}/add">${w.add}</a>
        </div>`
      }
    </div>
    ${
      waiting.length === 0
        ? html`<p class="hint">${w.queueEmpty}</p>`
        : html`<ol data-queue="${mayChange && `${to}/move`}">
            ${waiting.slice(0, MOST_SHOWN).map((track, index) => queued(request, place, { track, index, mayChange }))}
          </ol>`
    }
    ${waiting.length > MOST_SHOWN && html`<p class="hint">${w.more(waiting.length - MOST_SHOWN)}</p>`}
  </div>`
}

interface Queued {
  readonly track: EncodedTrack
  readonly index: number
  readonly mayChange: boolean
}

function queued(request: ProjectRequest, place: Place, { track, index, mayChange }: Queued): Markup {
  const w = PLAYERS[request.language]
  const { title, author, lengthMs, isStream } = track
  const position = index + 1
  const last = place.info.queue.length
  return html`<li
    ${mayChange && { markup: 'draggable="true"' }}
    data-at="${position}"
    data-said="${w.at(title, position)}"
  >
    <span class="queue-title"><b>${title}</b> <small>${author}</small></span>
    <small>${isStream ? w.stream : clock(lengthMs)}</small>
    ${
      mayChange &&
      html`<span class="row-actions">
        ${position > 1 && moveButton(request, place, { from: position, to: position - 1, label: w.up(title), sign: '↑' })}
        ${position < last && moveButton(request, place, { from: position, to: position + 1, label: w.down(title), sign: '↓' })}
        ${inlineForm(
          request,
          `${addressOf(request, place)}/skip-to`,
          html`<button class="button small quiet" name="position" value="${position}" aria-label="${w.skipTo(title)}">
            ▶
          </button>`,
        )}
        ${inlineForm(
          request,
          `${addressOf(request, place)}/remove`,
          html`<button class="button small quiet" name="position" value="${position}" aria-label="${w.remove(title)}">
            ×
          </button>`,
        )}
      </span>`
    }
  </li>`
}

function moveButton(
  request: ProjectRequest,
  place: Place,
  move: { readonly from: number; readonly to: number; readonly label: string; readonly sign: string },
): Markup {
  return inlineForm(
    request,
    `${addressOf(request, place)}/move`,
    html`<input type="hidden" name="from" value="${move.from}" />
      <button class="button small quiet" name="to" value="${move.to}" aria-label="${move.label}">${move.sign}</button>`,
  )
}
