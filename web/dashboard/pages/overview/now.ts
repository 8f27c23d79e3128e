import { html, type Markup } from '../../../../lib/html.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { chip, linkButton } from '../../ui/components.ts'
import { icon } from '../../../ui/icons.ts'
import { botChip } from '../bots/show.ts'
import { coverPath } from '../../../http/cover-path.ts'
import { playersOf, type ShownPlayer } from '../players/search.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const SOURCES = textsOf('dashboard-sources')
const OVERVIEW = textsOf('dashboard-overview')

/** The others are on the page of players, or of bots. */
const MOST_SHOWN = 5

export async function nowPlaying(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = OVERVIEW[language]
  const places = await playersOf(request)
  const shown = places.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_SHOWN)
  const to = `/dashboard/projects/${project.id}/players`
  const restoring = context.fleet.countRestoring(project.id)
  return html`<section>
    <header class="with-links">
      <h2>${w.playing}</h2>
      <span
        >${linkButton(to, places.length > MOST_SHOWN ? w.allPlayers({ count: places.length }) : w.openPlayers)}</span
      >
    </header>
    ${restoring > 0 && html`<p class="lead">${w.restoring({ count: restoring })}</p>`}
    ${
      shown.length === 0
        ? html`<p class="lead">${w.nothingPlays}</p>`
        : html`<ul class="now-list">
            ${shown.map((place) => player(request, place))}
          </ul>`
    }
  </section>`
}

/** Sorts playing players before paused and idle ones. */
function rank({ info }: ShownPlayer): number {
  return info.current === null ? 2 : info.paused ? 1 : 0
}

function player(request: ProjectRequest, place: ShownPlayer): Markup {
  const w = OVERVIEW[request.language]
  const { info, guildName, channelName } = place
  const title = info.current === null ? w.noTrack : (info.streamTitle ?? info.current.title)
  return html`<li>
    ${cover(request, place)}
    <div>
      <a href="${place.address}">${title}</a>
      <small>${guildName} · ${channelName}${info.paused && ` · ${w.paused}`}</small>
    </div>
  </li>`
}

function cover(request: ProjectRequest, place: ShownPlayer): Markup {
  const { current } = place.info
  if (!current || current.artworkUrl === null) return html`<span class="artwork">${icon('players')}</span>`
  const own = coverPath(current.artworkUrl, request.context.baseUrl())
  const src = own ?? `${place.address}/artwork?${new URLSearchParams({ of: current.encoded.slice(-24) }).toString()}`
  return html`<img class="artwork" src="${src}" alt="" width="48" height="48" loading="lazy" />`
}

/** The state of the project's bots, and of the music sources, which all projects share. */
export async function health(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = OVERVIEW[language]
  const base = `/dashboard/projects/${project.id}`
  const bots = await context.bots.list(project.id)
  const isWell = ({ id }: { readonly id: string }) => Number(context.fleet.stateOf(id) === 'connected')
  const shown = bots.toSorted((a, b) => isWell(a) - isWell(b)).slice(0, MOST_SHOWN)
  const sources = context.sources.states()
  const failing = sources.filter(({ isFailing }) => isFailing)
  const ready = sources.filter(({ state }) => state === 'ready')
  return html`<section>
    <h2>${w.health}</h2>
    <ul class="lines">
      ${shown.map((bot) => html`<li><a href="${base}/bots/${bot.id}">${bot.name}</a> ${botChip(request, bot)}</li>`)}
      ${bots.length === 0 && html`<li>${w.noBots}</li>`}
      ${bots.length > shown.length && html`<li><a href="${base}/bots">${w.more({ count: bots.length - shown.length })}</a></li>`}
      <li>
        <a href="${base}/sources">${w.sources}</a>
        ${
          failing.length === 0
            ? chip('good', w.sourcesReady({ count: ready.length }))
            : chip(
                'bad',
                w.sourcesFailing({
                  names: failing.map(({ kind, title }) => entryOf(SOURCES[language].titles, kind) ?? title).join(', '),
                }),
              )
        }
      </li>
    </ul>
  </section>`
}
