import { html, type Markup } from '../../../api/docs/html.ts'
import type { Fault } from '../../../lib/errors.ts'
import { PLANS } from '../../../lib/plans.ts'
import { page, type Page, type Route } from '../../http/route.ts'
import { buttons, formTo } from '../../ui/forms.ts'
import { chip, emptyState, head, note } from '../../ui/components.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { addPage, addTrack, startForm } from './add.ts'
import { addressOf, playerCard } from './card.ts'
import { actionForms } from './actions.ts'
import { playersOf, type Place } from './search.ts'
import { openLive } from './live.ts'
import { listen, mayListen } from './listen.ts'
import { artwork } from './artwork.ts'
import { soundPage } from './audio-settings.ts'
import { faultWords } from '../../words/faults.ts'
import { PLAYERS } from './words.ts'

const PATH = '/dashboard/projects/:projectId/players'

export const PLAYER_PAGES: readonly Route[] = [
  page('viewer', PATH, (request) => playersPage(request)),
  page('viewer', `${PATH}/live`, openLive),
  ...actionForms(PATH, playersPage),
  startForm(PATH, playersPage),
  page('manager', `${PATH}/:botId/:guildId/add`, (request) => addPage(request)),
  addTrack(PATH),
  page('viewer', `${PATH}/:botId/:guildId/artwork`, artwork),
  page('viewer', `${PATH}/:botId/:guildId/listen`, listen),
  page('viewer', `${PATH}/:botId/:guildId/sound`, soundPage),
]

/** @param fault why the last action failed. */
async function playersPage(request: ProjectRequest, fault?: Fault): Promise<Page> {
  const { project, language } = request
  const w = PLAYERS[language]
  const places = await playersOf(request)
  const mayChange = isAtLeast(project.role, 'manager')
  const base = `/dashboard/projects/${project.id}/players`
  return {
    kind: 'page',
    title: w.title,
    status: fault ? 422 : 200,
    scripts: ['players.js'],
    body: html`${head(w.title, {
        lead: w.lead(places.length, PLANS[project.plan].players),
        action: html`<span data-live hidden>${chip('good', w.live)}</span>`,
      })}
      <div data-refusal>${fault && note('bad', html`${w.refused} ${faultWords(language, fault)}`)}</div>
      <div class="players" data-players="${base}/live">
        ${places.map((place) => playerCard(request, place))}
        <div data-none>${emptyState('players', w.emptyTitle, mayChange ? w.emptyText : w.emptyViewer)}</div>
      </div>
      <p class="hidden" role="status" data-announce></p>
      ${places.filter(({ bot }) => mayListen(request, bot)).map((place) => listening(request, place))}
      ${mayChange && start(request)}`,
  }
}

function listening(request: ProjectRequest, place: Place): Markup {
  const w = PLAYERS[request.language]
  const label = `${w.listen}: ${place.guildName}`
  return html`<section>
    <h2>${label}</h2>
    <p class="lead">${place.bot.sandbox ? w.listenSandbox : w.listenHint}</p>
    <audio controls preload="none" src="${addressOf(request, place)}/listen" aria-label="${label}"></audio>
  </section>`
}

/** Every voice channel that a bot of the project could join. */
function start(request: ProjectRequest): Markup {
  const { context, project, language } = request
  const w = PLAYERS[language]
  const groups = context.bots.list(project.id).flatMap((bot) =>
    context.fleet
      .guildsOf(bot.id)
      .filter(({ channels }) => channels.length > 0)
      .map((guild) => ({ bot, guild })),
  )
  const content = html`<div class="field">
      <label for="place">${w.channel}</label>
      <select id="place" name="place">
        ${groups.map(
          ({ bot, guild }) =>
            html`<optgroup label="${bot.name}: ${guild.name}">
              ${guild.channels.map(({ id, name }) => html`<option value="${bot.id}.${guild.id}.${id}">${name}</option>`)}
            </optgroup>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="query">${w.query}</label>
      <input id="query" name="query" type="text" maxlength="500" autocomplete="off" required />
    </div>
    ${buttons(w.play)}`
  return html`<section>
    <h2>${w.start}</h2>
    <p class="lead">${groups.length === 0 ? w.noChannels : w.startLead}</p>
    ${groups.length > 0 && formTo(request, `/dashboard/projects/${project.id}/players/start`, content)}
  </section>`
}
