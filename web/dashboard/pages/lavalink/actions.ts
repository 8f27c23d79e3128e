import type { NodePlayerView, SessionView } from '../../../../api/lavalink/sessions/session-directory.ts'
import { Fault } from '../../../../lib/errors.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { formPage } from '../../ui/forms.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const LAVALINK = textsOf('dashboard-lavalink')

export function endPage(request: ProjectRequest): HtmlPage {
  const w = LAVALINK[request.language]
  const session = sessionOf(request)
  const title = w.endTitle({ name: nameOf(request, session) })
  return confirmPage(request, { title, lead: w.endLead({ count: session.players.length }), button: w.end })
}

export async function endSession(request: ProjectRequest): Promise<Outcome> {
  const { context, project, params } = request
  sessionOf(request)
  const ended = await context.lavalink?.end(project.id, params['sessionId'] ?? '')
  // Nothing is recorded for a session that ended meanwhile.
  if (ended) {
    const detail = { bot: ended.userId, count: ended.players.length }
    await record(request, 'lavalink.ended', nameOf(request, ended), detail)
  }
  return redirect(`${baseOf(request)}?done=ended`)
}

export function stopPage(request: ProjectRequest): HtmlPage {
  const w = LAVALINK[request.language]
  const player = playerOf(request)
  const title = player.track?.info.title
  return confirmPage(request, {
    title: w.stopTitle({ guildId: player.guildId }),
    lead: title === undefined ? w.stopLeadIdle : w.stopLead({ title }),
    button: w.stop,
  })
}

export async function stopPlayer(request: ProjectRequest): Promise<Outcome> {
  const { context, project, params } = request
  const { sessionId = '', guildId = '' } = params
  const client = sessionOf(request)
  const stopped = await context.lavalink?.stopPlayer(project.id, sessionId, guildId)
  if (stopped) {
    const title = stopped.track?.info.title ?? null
    await record(request, 'lavalink.stopped', guildId, { name: nameOf(request, client), bot: client.userId, title })
  }
  return redirect(`${baseOf(request)}?done=stopped`)
}

function confirmPage(
  request: ProjectRequest,
  { title, lead, button }: { readonly title: string; readonly lead: string; readonly button: string },
): HtmlPage {
  const w = LAVALINK[request.language]
  const back = { to: baseOf(request), label: w.title }
  return formPage(request, title, { lead, back, to: request.path, button, isDangerous: true, cancel: w.keep })
}

function baseOf({ project }: ProjectRequest): string {
  return `/dashboard/projects/${project.id}/lavalink`
}

function nameOf({ language }: ProjectRequest, { clientName }: SessionView): string {
  return clientName ?? LAVALINK[language].unnamed
}

function sessionOf({ context, project, params }: ProjectRequest): SessionView {
  const session = context.lavalink?.list(project.id).find(({ id }) => id === params['sessionId'])
  if (!session) throw new Fault('not_found', 'The project has no session with this ID.')
  return session
}

function playerOf(request: ProjectRequest): NodePlayerView {
  const player = sessionOf(request).players.find(({ guildId }) => guildId === request.params['guildId'])
  if (!player) throw new Fault('not_found', 'The session has no player in this server.')
  return player
}
