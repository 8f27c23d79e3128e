import type { Call } from '../../../api/docs/code-samples.ts'
import { html, type Markup } from '../../../api/docs/html.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { TRY } from './words.ts'

/** Longer areas are collapsed at first. */
const MOST_OPEN = 40

/** All routes by their areas, with a field that the script filters them by. @param here the one that is open. */
export function routeList(request: ProjectRequest, calls: readonly Call[], here: Call | null): Markup {
  const w = TRY[request.language]
  const groups = [...Map.groupBy(calls, ({ tag }) => tag)]
  const base = `/dashboard/projects/${request.project.id}/try`
  return html`<nav class="routes" aria-label="${w.routes}" data-routes>
    <div class="field" data-filter hidden>
      <label for="filter">${w.filter}</label>
      <input id="filter" type="search" autocomplete="off" spellcheck="false" />
    </div>
    <div class="routes-all" data-all>
      ${groups.map(
        ([tag, all]) =>
          html`<details ${(here === null ? all.length <= MOST_OPEN : here.tag === tag) && { markup: 'open' }}>
            <summary><span lang="en">${tag}</span> <small>${all.length}</small></summary>
            <ul>
              ${all.map((call) => routeLink(base, call, call.id === here?.id))}
            </ul>
          </details>`,
      )}
    </div>
    <p class="hint" data-none hidden>${w.none}</p>
  </nav>`
}

function routeLink(base: string, { id, method, path, summary }: Call, isHere: boolean): Markup {
  return html`<li data-search="${`${method} ${path} ${summary} ${id}`.toLowerCase()}">
    <a href="${base}/${id}" ${isHere && { markup: 'aria-current="page"' }}
      ><span class="verb ${method}">${method}</span> <span lang="en">${summary}</span></a
    >
  </li>`
}
