import { html, type Markup } from '../../../../../lib/html.ts'
import { Fault } from '../../../../../lib/errors.ts'
import { runForProject } from '../../../../../lib/request-context.ts'
import { head, note } from '../../../ui/components.ts'
import type { Outcome } from '../../../http/route.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'
import { faultWords } from '../../../words/faults.ts'
import { placeAt, type ShownPlayer } from '../search.ts'
import { listResults, trackResults } from './results.ts'
import { KINDS, TrackSearch } from './wanted.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

const MOST_TRACKS = 25
const MOST_LISTS = 50

function wantedOf({ query }: ProjectRequest): TrackSearch {
  return TrackSearch.parse(Object.fromEntries(query))
}

/** Says what to look for, of which kind and where. */
export function searchForm(request: ProjectRequest, place: ShownPlayer, action: string): Markup {
  const { context, language } = request
  const w = PLAYER[language]
  const wanted = wantedOf(request)
  const { sourceNames } = context.music
  const titles = new Map<string, string>(context.sources.states().map(({ name, title }) => [name, title]))
  return html`<form class="search-form" role="search" action="${action}" data-search>
      <div class="field">
        <label for="q">${w.query}</label>
        <input
          id="q"
          name="q"
          type="search"
          value="${wanted.q}"
          maxlength="500"
          autocomplete="off"
          enterkeyhint="search"
        />
      </div>
      <label class="field"
        ><span>${w.kind}</span
        ><select name="kind">
          ${KINDS.map((kind) => option(kind, w.kinds[kind], wanted.kind))}
        </select></label
      >
      <label class="field"
        ><span>${w.source}</span
        ><select name="source">
          ${option('', w.allSources, wanted.source)}
          ${sourceNames.map((name) => option(name, titles.get(name) ?? name, wanted.source))}
        </select></label
      >
      <button class="button primary" data-plain>${w.find}</button>
    </form>
    <p class="browse"><a href="${place.address}/add?kind=album" data-browse>${w.browse}</a></p>`
}

function option(value: string, label: string, chosen: string): Markup {
  return html`<option value="${value}" ${value === chosen && { markup: 'selected' }}>${label}</option>`
}

/** Searches, and shows lists by name where nothing is searched for; with `?part=1` the results alone, for the script. */
export async function addPage(request: ProjectRequest, fault?: Fault): Promise<Outcome> {
  const w = PLAYER[request.language]
  const place = await placeAt(request)
  const results = await find(request, place)
  if (request.query.has('part')) return { kind: 'file', contentType: 'text/html; charset=utf-8', body: results.markup }
  return {
    kind: 'page',
    title: w.add,
    status: fault ? 422 : 200,
    styles: ['players.css'],
    body: html`${head(w.addTo({ guild: place.guildName }), { back: { to: place.address, label: place.guildName } })}
      ${fault && note('bad', html`${w.failed} ${faultWords(request.language, fault)}`)}
      ${searchForm(request, place, `${place.address}/add`)}
      <section aria-label="${w.results}">${results}</section>`,
  }
}

async function find(request: ProjectRequest, place: ShownPlayer): Promise<Markup> {
  const { context, project, language } = request
  const wanted = wantedOf(request)
  const { q, kind, source, artist, offset } = wanted
  if (kind === 'track' && q === '') return html``
  const { music } = context
  const where = music.sourceNames.includes(source) ? { source } : {}
  try {
    return await runForProject(project.id, async () => {
      if (kind === 'track') {
        return trackResults(request, place, { q, tracks: await music.search({ q, limit: MOST_TRACKS, ...where }) })
      }
      const page = { limit: MOST_LISTS, offset: source === '' ? 0 : offset }
      const by = kind === 'album' && artist !== '' ? { artist } : {}
      const lists = await music.lists({ kind, text: q, ...page, ...by, ...where })
      return listResults(request, place, { wanted, lists, isFull: lists.length === MOST_LISTS })
    })
  } catch (err) {
    if (!(err instanceof Fault) || err.code === 'internal_error') throw err
    return note('bad', faultWords(language, err))
  }
}
