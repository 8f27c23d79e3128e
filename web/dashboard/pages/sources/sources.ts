import { html, type Markup } from '../../../../lib/html.ts'
import { Fault } from '../../../../lib/errors.ts'
import type { SourceStatus } from '../../../../bot/sources/source-state.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { form, page, redirect, type HtmlPage, type Outcome, type PageRoute } from '../../http/route.ts'
import { chip, head } from '../../ui/components.ts'
import { inlineForm } from '../../ui/forms.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const SOURCES = textsOf('dashboard-sources')

const PATH = '/dashboard/projects/:projectId/sources'

export const SOURCE_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, sourcesPage),
  form('viewer', `${PATH}/:name`, switchSource),
]

/** The sources of the service, which all projects share. Only its operators can change them. */
function sourcesPage(request: ProjectRequest): HtmlPage {
  const { context, language, account } = request
  const w = SOURCES[language]
  const sources = context.sources.states()
  const isLast = sources.filter(isOn).length === 1
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: account.isOperator ? w.lead : w.leadMember })}
      <ul class="sources">
        ${sources.map((source) => card(request, source, isLast && isOn(source)))}
      </ul>`,
  }
}

async function switchSource(request: ProjectRequest): Promise<Outcome> {
  const { context, account, params, form: fields, project } = request
  const states = context.sources.states()
  const source = states.find(({ name }) => name === params['name'])
  const wanted = fields.get('on') === 'yes'
  // As all pages of operators, it does not exist for others.
  if (!account.isOperator || source?.control !== 'switch')
    throw new Fault('not_found', "This source can't be turned on or off here.")
  if (!wanted && isOn(source) && states.filter(isOn).length === 1) {
    throw new Fault('conflict', SOURCES[request.language].isLast)
  }
  if (wanted !== isOn(source)) {
    await context.sourceSwitches.set(source.name, wanted)
    await record(request, wanted ? 'source.on' : 'source.off', source.title, { name: source.name })
  }
  return redirect(`/dashboard/projects/${project.id}/sources`)
}

function isOn({ state }: SourceStatus): boolean {
  return state !== 'off' && state !== 'needs_setting'
}

function card(request: ProjectRequest, source: SourceStatus, isLast: boolean): Markup {
  const w = SOURCES[request.language]
  const { name, kind, title } = source
  const what = w.kinds[kind]
  const { isOperator } = request.account
  const shown = entryOf(w.titles, kind) ?? title
  return html`<li class="source ${!isOn(source) && 'ended'}">
    <h2>${shown} <small>${name}</small></h2>
    <p>${stateOf(request, source)}</p>
    <p class="plays">${typeof what === 'string' ? what : what({ site: title })}</p>
    ${waysOf(request, source)} ${budgetOf(request, source)}
    ${isOperator && html`<div class="change">${isLast ? html`<small>${w.isLast}</small>` : change(request, source, shown)}</div>`}
  </li>`
}

function stateOf({ language, account }: ProjectRequest, { state, unset }: SourceStatus): Markup {
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
      return html`${chip('quiet', w.needsSetting)} ${!account.isOperator && html`<small>${unset.join(', ')}</small>`}`
    case 'off':
      return chip('quiet', w.off)
  }
}

/** The ways to its audio, in the order in which they are tried. */
function waysOf({ language }: ProjectRequest, { ways = [] }: SourceStatus): Markup | false {
  const w = SOURCES[language]
  const shown = ways.map(({ name, state, failure }) => {
    const why = failure === null ? '' : w.failing[failure][0]
    const about = state === 'playing' ? w.ways.playing : [w.ways[state], why].filter(Boolean).join(', ')
    return html`<li><code>${name}</code> <small>${about}</small></li>`
  })
  return (
    ways.length > 0 &&
    html`<ol class="ways">
      ${shown}
    </ol>`
  )
}

function budgetOf({ language }: ProjectRequest, { budget }: SourceStatus): Markup | null {
  const w = SOURCES[language]
  if (!budget) return null
  const { left, perMinute, pausedMs } = budget
  const text = pausedMs > 0 ? w.paused({ count: Math.ceil(pausedMs / 1000) }) : w.left({ left, perMinute })
  return html`<p class="plays"><small>${text}</small></p>`
}

/** The switch, or what takes the place of one. */
function change(request: ProjectRequest, source: SourceStatus, shown: string): Markup {
  const { language, project } = request
  const w = SOURCES[language]
  const { name, unset, state, control } = source
  if (control === 'bot') return html`<small>${w.sandbox}</small>`
  if (control === 'switch') {
    const label = html`<button class="button small" name="on" value="${isOn(source) ? 'no' : 'yes'}">
      ${isOn(source) ? w.turnOff : w.turnOn}<span class="hidden"> ${shown}</span>
    </button>`
    return inlineForm(request, `/dashboard/projects/${project.id}/sources/${name}`, label)
  }
  const variables = [...unset, 'MUSIC_SOURCES'].join(', ')
  return html`<small>${state === 'needs_setting' ? w.set({ variables }) : w.named({ name })}</small>`
}
