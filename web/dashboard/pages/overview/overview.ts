import { html, type Markup } from '../../../../lib/html.ts'
import { keyState } from '../../../../db/projects/keys.ts'
import { form, page, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { commandLine } from '../../ui/command-line.ts'
import { ago, copyId, copyPrefix, doneNote, head, keyLabel, linkButton } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { detailMarkup } from '../audit/details.ts'
import { mergeRepeats, type MergedEntry } from '../audit/merge.ts'
import { actionLabel } from '../audit/words.ts'
import { limits } from './limits.ts'
import { health, nowPlaying } from './now.ts'
import { hideSteps, nextSteps } from './steps.ts'
import { dayPlot, tiles } from './traffic.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const AUDIT = textsOf('dashboard-audit')
const PROJECTS = textsOf('dashboard-projects')
const OVERVIEW = textsOf('dashboard-overview')

const PATH = '/dashboard/projects/:projectId'
const MOST_CHANGES = 6
/** Entries that these are made of, once repeats are one. */
const MOST_READ = 60
/** Ids of bots, servers and keys each; all of them are on their own pages. */
const MOST_IDS = 5

export const OVERVIEW_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, overviewPage),
  form('manager', `${PATH}/hide-steps`, hideSteps),
]

/** A project at a glance: what happens in it, whether it is well, and what to do next. */
async function overviewPage(request: ProjectRequest): Promise<HtmlPage> {
  const { project, language } = request
  const w = OVERVIEW[language]
  const projectId = html`${w.plan({ plan: project.plan })} · ${copyId(language, 'project', project.id)}`
  return {
    kind: 'page',
    title: project.name,
    scripts: ['plots.js'],
    styles: ['uplot.css'],
    body: html`${head(project.name, { lead: projectId })} ${doneNote(request, PROJECTS[language].done)}
      ${await nextSteps(request)} ${await tiles(request)} ${await dayPlot(request)}
      <div class="columns">${await nowPlaying(request)} ${await health(request)}</div>
      ${await recentChanges(request)} ${await limits(request)} ${await ids(request)}`,
  }
}

async function recentChanges(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = OVERVIEW[language]
  const { entries } = await context.audit.list({ projectId: project.id, kind: 'change', limit: MOST_READ })
  const merged = mergeRepeats(entries).slice(0, MOST_CHANGES)
  return html`<section>
    <header class="with-links">
      <h2>${w.changes}</h2>
      <span>${linkButton(`/dashboard/projects/${project.id}/audit`, w.audit)}</span>
    </header>
    ${
      merged.length === 0
        ? html`<p class="lead">${w.noChanges}</p>`
        : html`<ul class="lines changes">
            ${await Promise.all(merged.map((entry) => change(request, entry)))}
          </ul>`
    }
  </section>`
}

async function change(request: ProjectRequest, { latest, count, detail }: MergedEntry): Promise<Markup> {
  const { language } = request
  return html`<li>
    <span
      ><b>${latest.who}</b> ${actionLabel(language, latest.action)} <b>${latest.target}</b>${
        count > 1 && ` ${AUDIT[language].times({ count })}`
      }</span
    >
    ${await detailMarkup(request, detail, false)} ${ago(request, latest.atMs)}
  </li>`
}

function row(kind: string, name: string, id: Markup): Markup {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${kind}</td>
    <td>${id}</td>
  </tr>`
}

/** IDs that a program needs to begin with. */
async function ids(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = OVERVIEW[language]
  const bots = (await context.bots.list(project.id)).slice(0, MOST_IDS)
  const servers = bots.flatMap(({ id }) => context.fleet.guildsOf(id)).slice(0, MOST_IDS)
  const active = (await context.keys.list(project.id)).filter((key) => keyState(key, context.now()) === 'active')
  const rows = [
    row(w.project, project.name, copyId(language, 'project', project.id)),
    ...bots.map(({ id, name }) => row(w.bot, name, copyId(language, 'bot', id))),
    ...servers.map(({ id, name }) => row(w.server, name, copyId(language, 'server', id))),
    ...active
      .slice(-MOST_IDS)
      .toReversed()
      .map((key) => row(w.key, keyLabel(key), copyPrefix(language, key.prefix))),
  ]
  const [server] = servers
  const path = server ? `/v1/music/guilds/${server.id}/player` : '/v1/translation/languages'
  return html`<section>
    <h2>${w.ids}</h2>
    ${table(
      w.ids,
      [
        [w.name, 'name'],
        [w.kind, 'label'],
        [w.id, 'text'],
      ],
      rows,
    )}
    <p class="lead after">${w.idsLead}</p>
    ${commandLine(request, path)}
  </section>`
}
