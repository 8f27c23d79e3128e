import { html, type Markup } from '../../../../lib/html.ts'
import type { Fault } from '../../../../lib/errors.ts'
import type { GuildTarget } from '../../../../lib/sharing/forwarding.ts'
import { page, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { buttons, formTo } from '../../ui/forms.ts'
import { chip, emptyState, head, note } from '../../ui/components.ts'
import { isAtLeast, type PageRequest, type ProjectRequest } from '../../http/page-request.ts'
import { addForm, startForm } from './find/add.ts'
import { addPage } from './find/find.ts'
import { playerCard } from './card.ts'
import { actionForms } from './actions.ts'
import { leadOf, playersOf } from './search.ts'
import { openLive } from './live.ts'
import { listen } from './listen.ts'
import { artwork } from './artwork.ts'
import { soundPage } from './audio-settings.ts'
import { openPlayerLive } from './player/live.ts'
import { lyricsPage } from './player/lyrics.ts'
import { playerPage } from './player/player.ts'
import { queuePage } from './player/queue.ts'
import { faultWords } from '../../words/faults.ts'
import { SNOWFLAKE } from '../../../../lib/validation/snowflake.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const PLAYERS = textsOf('dashboard-players')

const PATH = '/dashboard/projects/:projectId/players'
const PLAYER_PATH = `${PATH}/:botId/:guildId`

const PAGES: readonly PageRoute[] = [
  page('viewer', PATH, (request) => playersPage(request)),
  page('viewer', `${PATH}/live`, openLive),
  ...actionForms(PATH, { list: playersPage, player: playerPage }),
  startForm(PATH, playersPage),
  page('viewer', PLAYER_PATH, (request) => playerPage(request)),
  page('viewer', `${PLAYER_PATH}/live`, openPlayerLive),
  page('viewer', `${PLAYER_PATH}/queue`, queuePage),
  page('viewer', `${PLAYER_PATH}/lyrics`, lyricsPage),
  page('manager', `${PLAYER_PATH}/add`, (request) => addPage(request)),
  addForm(PATH),
  page('viewer', `${PLAYER_PATH}/artwork`, artwork),
  page('viewer', `${PLAYER_PATH}/listen`, listen),
  page('viewer', `${PLAYER_PATH}/sound`, soundPage),
]

export const PLAYER_PAGES: readonly PageRoute[] = PAGES.map((route) => Object.assign({ playerOf }, route))

/** A page or form of one player, or the form that starts one. */
function playerOf({ params, form }: PageRequest): GuildTarget | null {
  const [startBotId = '', startGuildId = ''] = (form.get('place') ?? '').split('.')
  const { botId = startBotId, guildId = startGuildId } = params
  return SNOWFLAKE.test(botId) && SNOWFLAKE.test(guildId) ? { botId, guildId } : null
}

/** @param fault why the last action failed. */
async function playersPage(request: ProjectRequest, fault?: Fault): Promise<HtmlPage> {
  const { project, language } = request
  const w = PLAYERS[language]
  const places = await playersOf(request)
  const mayChange = isAtLeast(project.role, 'manager')
  const base = `/dashboard/projects/${project.id}/players`
  return {
    kind: 'page',
    title: w.title,
    status: fault ? 422 : 200,
    styles: ['players.css'],
    scripts: ['players.js'],
    body: html`${head(w.title, {
        lead: html`<span data-lead>${leadOf(request, places)}</span>`,
        action: html`<span data-live hidden>${chip('good', w.live)}</span>`,
      })}
      <div data-refusal>${fault && note('bad', html`${w.refused} ${faultWords(language, fault)}`)}</div>
      <div class="players" data-players="${base}/live">
        ${places.map((place) => playerCard(request, place))}
        <div data-none>${emptyState('players', w.emptyTitle, mayChange ? w.emptyText : w.emptyViewer)}</div>
      </div>
      <p class="hidden" role="status" data-announce></p>
      ${mayChange && (await start(request))}`,
  }
}

/** Every voice channel that a bot of the project could join. */
async function start(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = PLAYERS[language]
  const groups = (await context.bots.list(project.id)).flatMap((bot) =>
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
