import { z } from 'zod'
import { html, type Markup } from '../../../api/docs/html.ts'
import type { FoundEncodedTrack } from '../../../bot/player-service.ts'
import { Fault, unplayable } from '../../../lib/errors.ts'
import { runForProject } from '../../../lib/request-context.ts'
import { readForm } from '../../http/form.ts'
import { form, redirect, type Page, type Route } from '../../http/route.ts'
import { inlineForm } from '../../ui/forms.ts'
import { head, note, table } from '../../ui/components.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { addressOf } from './card.ts'
import { clock } from './chapters.ts'
import { guildNameOf, refusalOf } from './actions.ts'
import { playerScopeOf, placeAt } from './search.ts'
import { faultWords } from '../../words/faults.ts'
import { PLAYERS } from './words.ts'

const RESULTS = 10
const StartForm = z.object({
  place: z.string().regex(/^\d{17,20}\.\d{17,20}\.\d{17,20}$/),
  query: z.string().trim().min(1).max(500),
})
const AddForm = z.object({ encoded: z.string().min(1).max(20_000), title: z.string().max(500).default('') })

/** Joins a channel and plays. */
export function startForm(path: string, show: (request: ProjectRequest, fault?: Fault) => Promise<Page>): Route {
  return form('manager', `${path}/start`, async (request) => {
    const { context, project } = request
    const { data } = readForm(StartForm, request.form)
    if (!data) return show(request, nothingSaid())
    const [botId = '', guildId = '', channelId = ''] = data.place.split('.')
    const who = playerScopeOf(request, botId)
    try {
      const { track } = await context.music.play(who, guildId, { query: data.query, channelId })
      record(request, 'player.play', guildNameOf(request, botId, guildId), { title: track.title })
    } catch (thrown) {
      return show(request, refusalOf(thrown))
    }
    return redirect(`/dashboard/projects/${project.id}/players`)
  })
}

function nothingSaid(): Fault {
  return unplayable('Say what to play.')
}

/** Searches, and puts what was found behind what waits. */
export async function addPage(request: ProjectRequest, fault?: Fault): Promise<Page> {
  const { context, project, query, language } = request
  const w = PLAYERS[language]
  const place = await placeAt(request)
  const base = `/dashboard/projects/${project.id}/players`
  const q = (query.get('q') ?? '').trim().slice(0, 500)
  const search = () => context.music.search({ q, limit: RESULTS }).catch(nothingFound)
  const found = q === '' ? null : await runForProject(project.id, search)
  const searched = found && searchResults(request, `${addressOf(request, place)}/add`, found)
  return {
    kind: 'page',
    title: w.addTitle,
    status: fault ? 422 : 200,
    body: html`${head(w.addTitle, { lead: place.guildName, back: { to: base, label: w.title } })}
      ${fault && note('bad', html`${w.refused} ${faultWords(language, fault)}`)}
      <form class="row" role="search">
        <div class="field">
          <label for="q">${w.query}</label>
          <input id="q" name="q" type="search" value="${q}" maxlength="500" autocomplete="off" autofocus />
        </div>
        <button class="button primary">${w.find}</button>
      </form>
      ${searched}`,
  }
}

function searchResults(request: ProjectRequest, to: string, found: readonly FoundEncodedTrack[]): Markup {
  const w = PLAYERS[request.language]
  const rows = found.map(
    ({ title, author, lengthMs, isStream, encoded, source }) =>
      html`<tr>
        <th scope="row">${title} <small>${author}</small></th>
        <td>${isStream ? w.stream : clock(lengthMs)}</td>
        <td>${source}</td>
        <td>
          <div class="row-actions">
            ${inlineForm(
              request,
              to,
              html`<input type="hidden" name="title" value="${title}" />
                <button class="button small" name="encoded" value="${encoded}">
                  ${w.add}<span class="hidden"> ${title}</span>
                </button>`,
            )}
          </div>
        </td>
      </tr>`,
  )
  return html`<section>
    <h2>${w.results}</h2>
    ${rows.length === 0 ? html`<p class="lead">${w.noResults}</p>` : table(w.results, [w.track, w.length, w.source, ''], rows)}
  </section>`
}

export function addTrack(path: string): Route {
  return form('manager', `${path}/:botId/:guildId/add`, async (request) => {
    const { context, project, params } = request
    const { botId = '', guildId = '' } = params
    const who = playerScopeOf(request, botId)
    const { data } = readForm(AddForm, request.form)
    if (!data) return addPage(request, nothingSaid())
    try {
      await context.music.play(who, guildId, { encoded: data.encoded })
    } catch (thrown) {
      return addPage(request, refusalOf(thrown))
    }
    record(request, 'player.add', guildNameOf(request, botId, guildId), { title: data.title })
    return redirect(`/dashboard/projects/${project.id}/players`)
  })
}

function nothingFound(error: unknown): readonly [] {
  if (error instanceof Fault && error.code !== 'internal_error') return []
  throw error
}
