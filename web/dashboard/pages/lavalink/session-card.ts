import { html, type Markup } from '../../../../lib/html.ts'
import type { NodePlayerView, SessionView } from '../../../../api/lavalink/sessions/session-directory.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { ago, chip, copyId, keyLabel, linkButton, number, percent } from '../../ui/components.ts'
import { table, type Column } from '../../../ui/table.ts'
import { clock } from '../players/chapters.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const LAVALINK = textsOf('dashboard-lavalink')

/** One client and its players. The script replaces parts that have changed. */
export async function sessionCard(request: ProjectRequest, session: SessionView): Promise<Markup> {
  const w = LAVALINK[request.language]
  const id = cardId(session)
  const parts = await cardParts(request, session)
  const part = (name: keyof typeof parts) => html`<div data-part="${name}">${{ markup: parts[name] }}</div>`
  const end = isAtLeast(request.project.role, 'manager') && linkButton(`${pathOf(request, session)}/end`, w.end)
  return html`<article class="player session" id="${id}" aria-labelledby="${id}-title">
    <header>
      <h2 id="${id}-title">${session.clientName ?? w.unnamed}</h2>
      ${end}
    </header>
    ${part('state')} ${part('players')}
  </article>`
}

export function cardId({ id }: SessionView): string {
  return `session-${id}`
}

function pathOf({ project }: ProjectRequest, { id }: SessionView): string {
  return `/dashboard/projects/${project.id}/lavalink/${id}`
}

/** The parts of a card that change, as markup. */
export async function cardParts(request: ProjectRequest, session: SessionView) {
  return { state: (await stateOf(request, session)).markup, players: playersOf(request, session).markup }
}

async function stateOf(request: ProjectRequest, session: SessionView): Promise<Markup> {
  const { context, project, language } = request
  const w = LAVALINK[language]
  const { lostAtMs, isResuming, timeoutSeconds, userId, keyId, openedAtMs } = session
  const key = (await context.keys.list(project.id)).find(({ id }) => id === keyId)
  const state =
    lostAtMs === null
      ? chip('good', w.connected)
      : html`${chip('warn', w.waiting)} <small>${w.lost} ${ago(request, lostAtMs)}</small>`
  const keyPage = `/dashboard/projects/${project.id}/keys`
  return html`<dl class="session-facts">
    ${fact(w.state, state)} ${fact(w.since, ago(request, openedAtMs))} ${fact(w.bot, copyId(language, 'bot', userId))}
    ${fact(w.resuming, isResuming ? w.resumes({ seconds: number(language, timeoutSeconds) }) : w.no)}
    ${key && fact(w.key, html`<a href="${keyPage}/${key.id}">${keyLabel(key)}</a>`)}
  </dl>`
}

function fact(label: string, value: Markup | string): Markup {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`
}

function playersOf(request: ProjectRequest, session: SessionView): Markup {
  const w = LAVALINK[request.language]
  if (session.players.length === 0) return html`<p class="hint">${w.noPlayers}</p>`
  const mayStop = isAtLeast(request.project.role, 'manager')
  const heads: readonly Column[] = [
    [w.server, 'id'],
    w.track,
    [w.position, 'label'],
    [w.volume, 'short'],
    [w.filters, 'state'],
    [w.voice, 'label'],
    [w.frames, 'number'],
    ...(mayStop ? [['', 'action'] as const] : []),
  ]
  const rows = session.players.map((player) => row(request, session, player))
  return table(w.players, heads, rows)
}

function row(request: ProjectRequest, session: SessionView, player: NodePlayerView): Markup {
  const { language, project } = request
  const w = LAVALINK[language]
  const { guildId, track, volume, paused, filters } = player
  const names = Object.keys(filters).filter((name) => name !== 'volume')
  const stop = `${pathOf(request, session)}/${guildId}/stop`
  return html`<tr>
    <th scope="row">${copyId(language, 'server', guildId)}</th>
    <td>
      ${track ? html`${track.info.title} <small>${track.info.author} · ${track.info.sourceName}</small>` : w.idle}
    </td>
    <td>${positionOf(request, player)} ${paused && track && html`<small>${w.paused}</small>`}</td>
    <td>${percent(language, volume)}</td>
    <td>${names.length === 0 ? w.none : names.join(', ')}</td>
    <td>${voiceOf(request, player)}</td>
    <td>${lostOf(request, player)}</td>
    ${
      isAtLeast(project.role, 'manager') &&
      html`<td><a class="button small" href="${stop}" aria-label="${w.stopOf({ guildId })}">${w.stop}</a></td>`
    }
  </tr>`
}

function positionOf({ language }: ProjectRequest, { track, state }: NodePlayerView): Markup {
  const w = LAVALINK[language]
  if (!track) return html`${w.none}`
  const { isStream, length } = track.info
  return html`<span class="clock">${clock(state.position)} / ${isStream ? w.stream : clock(length)}</span>`
}

function voiceOf({ language }: ProjectRequest, { state }: NodePlayerView): Markup {
  const w = LAVALINK[language]
  if (!state.connected) return chip('quiet', w.voiceless)
  return html`${chip('good', w.connected)}${state.ping >= 0 && html` <small>${number(language, Math.round(state.ping))} ms</small>`}`
}

function lostOf({ language }: ProjectRequest, { frames }: NodePlayerView): Markup {
  if (!frames) return html`${LAVALINK[language].none}`
  const lost = frames.nulled + Math.max(0, frames.deficit)
  return html`${number(language, lost)}`
}
