import { html, type Markup } from '../../../../lib/html.ts'
import type { SourceStatus } from '../../../../bot/sources/source-state.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { page, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { chip, head, table } from '../../ui/components.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const SOURCES = textsOf('dashboard-sources')

export const SOURCE_PAGES: readonly PageRoute[] = [
  page('viewer', '/dashboard/projects/:projectId/sources', sourcesPage),
]

/** The sources of the service, which all projects share. Only its operators can change them. */
function sourcesPage(request: ProjectRequest): HtmlPage {
  const { context, language, account } = request
  const w = SOURCES[language]
  const sources = context.sources.states()
  const names = sources.filter(isOn).map(({ name }) => name)
  const heads = [w.source, w.plays, w.state, ...(account.isOperator ? [w.line] : [])]
  const rows = sources.map((source) => row(request, source, account.isOperator ? names : null))
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead })} ${table(w.title, heads, rows)}
    ${account.isOperator && html`<p class="after">${w.restart}</p>`}`,
  }
}

function isOn({ state }: SourceStatus): boolean {
  return state !== 'off' && state !== 'needs_setting'
}

/** @param names of the sources that are on, for operators. */
function row(request: ProjectRequest, source: SourceStatus, names: readonly string[] | null): Markup {
  const w = SOURCES[request.language]
  const { name, kind, title } = source
  const what = w.kinds[kind]
  return html`<tr class="${!isOn(source) && 'ended'}">
    <th scope="row">${entryOf(w.titles, kind) ?? title} <small>${name}</small></th>
    <td class="long">${typeof what === 'string' ? what : what({ site: title })}</td>
    <td class="long">${stateOf(request, source)}</td>
    ${names && html`<td class="long">${change(request, source, names)}</td>`}
  </tr>`
}

function stateOf({ language }: ProjectRequest, { state, unset }: SourceStatus): Markup {
  const w = SOURCES[language]
  switch (state) {
    case 'ready':
      return chip('good', w.on)
    case 'needs_yt_dlp':
      return html`${chip('warn', w.needsYtDlp)} <small>${w.notInstalled}</small>`
    case 'refused':
    case 'unreachable':
    case 'changed': {
      const [name, meaning] = w.failing[state]
      return html`${chip('bad', name)} <small>${meaning} ${w.passedOver}</small>`
    }
    case 'needs_setting':
      return html`${chip('quiet', w.needsSetting)} <small>${unset.join(', ')}</small>`
    case 'off':
      return chip('quiet', w.off)
  }
}

/** The setting that switches the source off or on. */
function change({ language }: ProjectRequest, source: SourceStatus, names: readonly string[]): Markup | string {
  const w = SOURCES[language]
  const { name, unset } = source
  const left = isOn(source) ? names.filter((other) => other !== name) : [...names, name]
  if (left.length === 0) return w.isLast
  // Broken between names where it does not fit, not within one.
  const list = left.map((other, at) => html`<wbr />${other}${at < left.length - 1 && ','}`)
  return html`<small>${isOn(source) ? w.toSwitchOff : w.toSwitchOn}</small>
    <div><code>MUSIC_SOURCES=${list}</code></div>
    ${unset.map((variable) => html`<div><code>${variable}=…</code></div>`)}`
}
