import { html, type Markup } from '../../../../lib/html.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { form, page, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { chip, copyable, doneNote, emptyState, head, linkButton } from '../../ui/components.ts'
import { endPage, endSession, stopPage, stopPlayer } from './actions.ts'
import { leadOf, openLive } from './live.ts'
import { sessionCard } from './session-card.ts'
import { snippetsFor } from './snippets.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const LAVALINK = textsOf('dashboard-lavalink')

const PATH = '/dashboard/projects/:projectId/lavalink'
const SESSION = `${PATH}/:sessionId`

export const LAVALINK_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, sessionsPage),
  page('viewer', `${PATH}/live`, openLive),
  page('manager', `${SESSION}/end`, endPage),
  form('manager', `${SESSION}/end`, endSession),
  page('manager', `${SESSION}/:guildId/stop`, stopPage),
  form('manager', `${SESSION}/:guildId/stop`, stopPlayer),
]

async function sessionsPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = LAVALINK[language]
  const sessions = context.lavalink?.list(project.id)
  if (!sessions) {
    const body = html`${head(w.title, { lead: w.about })} ${emptyState('lavalink', w.offTitle, w.offText)}`
    return { kind: 'page', title: w.title, body }
  }
  return {
    kind: 'page',
    title: w.title,
    styles: ['players.css'],
    scripts: ['lavalink.js'],
    body: html`${head(w.title, {
        lead: html`<span data-lead>${leadOf(request)}</span>`,
        action: html`<span data-live hidden>${chip('good', w.live)}</span>`,
      })}
      ${doneNote(request, w.done)}
      <div class="players" data-sessions="/dashboard/projects/${project.id}/lavalink/live">
        ${await Promise.all(sessions.map((session) => sessionCard(request, session)))}
        <div data-none>${emptyState('lavalink', w.emptyTitle, w.emptyText)}</div>
      </div>
      ${connect(request)}`,
  }
}

/** The connection settings of a bot: address, key, and the same as code. */
function connect(request: ProjectRequest): Markup {
  const { context, project, language } = request
  const w = LAVALINK[language]
  const keys = `/dashboard/projects/${project.id}/keys/new`
  const { shown, snippets } = snippetsFor(context.baseUrl())
  return html`<section>
    <h2>${w.connect}</h2>
    <p class="lead">${w.connectText}</p>
    <dl class="facts">
      <dt>${w.host}</dt>
      <dd><code>${shown.host}</code></dd>
      <dt>${w.port}</dt>
      <dd><code>${shown.port}</code></dd>
      <dt>${w.secure}</dt>
      <dd>${shown.isSecure ? w.yes : w.no}</dd>
      <dt>${w.password}</dt>
      <dd>${w.passwordText}</dd>
    </dl>
    ${isAtLeast(project.role, 'manager') && html`<p class="after actions">${linkButton(keys, w.newKey)}</p>`}
    ${snippets.map(
      ({ client, code }) =>
        html`<p class="after"></p>
          ${copyable(language, client, code)}`,
    )}
  </section>`
}
