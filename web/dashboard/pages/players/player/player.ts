import { html, type Markup } from '../../../../../lib/html.ts'
import { type Fault, nullOn } from '../../../../../lib/errors.ts'
import { isAtLeast, type ProjectRequest } from '../../../http/page-request.ts'
import { redirect, type Outcome } from '../../../http/route.ts'
import { chip, head, linkButton, note } from '../../../ui/components.ts'
import { faultWords } from '../../../words/faults.ts'
import { searchForm } from '../find/find.ts'
import { mayListen } from '../listen.ts'
import { placeAt, playerScopeOf, type ShownPlayer } from '../search.ts'
import { filterForms } from '../filters/filters.ts'
import { chaptersPart, nowPart, seekBar, transport } from './now.ts'
import { queuePanel } from './queue.ts'
import { settingsPanel } from './settings.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** One player with its whole queue. @param fault why the last action failed. */
export async function playerPage(request: ProjectRequest, fault?: Fault): Promise<Outcome> {
  const { context, language, project } = request
  const w = PLAYER[language]
  const list = `/dashboard/projects/${project.id}/players`
  // A bot of others does not exist here; a player of one's own may just have left.
  const scope = await playerScopeOf(request, request.params['botId'] ?? '')
  const place = await placeAt(request).catch(nullOn('not_found'))
  if (!place) return redirect(list)
  const items = await context.music.queueItems(scope, place.guildId)
  const mayChange = isAtLeast(project.role, 'manager')
  const lead = `${place.channelName} · ${place.bot.name}`
  return {
    kind: 'page',
    title: place.guildName,
    status: fault ? 422 : 200,
    styles: ['players.css'],
    scripts: ['player.js'],
    body: html`${head(place.guildName, {
        lead,
        back: { to: list, label: w.back },
        action: html`<span data-live hidden>${chip('good', w.live)}</span>
          ${linkButton(`${place.address}/sound`, w.diagnostics)}`,
      })}
      <div data-refusal>${fault && note('bad', html`${w.failed} ${faultWords(language, fault)}`)}</div>
      <div class="player-page" data-player="${place.address}" data-words="${JSON.stringify(scriptWords(request))}">
        <section class="panel now-panel" aria-label="${w.controls}">
          <div data-part="now">${nowPart(request, place, items)}</div>
          ${seekBar(request, place)} ${mayChange && transport(request, place)}
        </section>
        <div class="player-main">${mayChange && searchPanel(request, place)} ${queuePanel(request, place, items)}</div>
        <div class="player-side">
          <div data-part="chapters">${chaptersPart(request, place)}</div>
          ${mayChange && settingsPanel(request, place)} ${mayChange && filterForms(request, place)}
          <details class="panel" data-lyrics="${place.address}/lyrics?part=1">
            <summary>${w.lyrics}</summary>
            <div class="lyrics" tabindex="0" role="region" aria-label="${w.lyrics}">
              <a href="${place.address}/lyrics">${w.lyrics}</a>
            </div>
          </details>
          ${mayListen(request, place.bot) && listening(request, place)}
        </div>
      </div>
      <p class="toast" role="status" data-toast></p>
      <p class="hidden" role="status" data-announce></p>`,
  }
}

function searchPanel(request: ProjectRequest, place: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  return html`<section class="panel" aria-labelledby="add-title" data-find="${place.address}/add">
    <h2 id="add-title">${w.add}</h2>
    ${searchForm(request, place, `${place.address}/add`)}
    <p class="hint" role="status" data-find-state></p>
    <div data-found></div>
  </section>`
}

function listening(request: ProjectRequest, { bot, address, guildName }: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  return html`<section class="panel">
    <h2>${w.listen}</h2>
    <p class="hint">${bot.sandbox ? w.listenSandbox : w.listenHint}</p>
    <audio controls preload="none" src="${address}/listen" aria-label="${w.listen}: ${guildName}"></audio>
  </section>`
}

/** Texts of the script. */
function scriptWords({ language, csrf }: ProjectRequest) {
  const { gone, offline, failed, changed, undo, undone, loading, pastTrack } = PLAYER[language]
  // A count or a title is put in where the number or the letter is.
  const selected = PLAYER[language].selected({ count: 0 })
  const movedTo = PLAYER[language].movedTo({ title: '%', position: 0 })
  const results = [1, 2].map((count) => PLAYER[language].resultCount({ count }))
  return { gone, offline, failed, changed, undo, undone, loading, pastTrack, selected, movedTo, results, csrf }
}
