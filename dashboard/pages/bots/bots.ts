import { z } from 'zod'
import { html } from '../../../api/docs/html.ts'
import { Fault } from '../../../lib/errors.ts'
import { identifyBot, type BotIdentity } from '../../../upstream/discord/discord.ts'
import { EMPTY, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type Page, type Route } from '../../http/route.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { head } from '../../ui/components.ts'
import { record, type ProjectVisit } from '../../http/page-request.ts'
import { COMMON } from '../../words/common.ts'
import { botOf, botPage, listPage } from './show.ts'
import { BOTS } from './words.ts'

const PATH = '/dashboard/projects/:projectId/bots'

export const BOT_PAGES: readonly Route[] = [
  page('viewer', PATH, listPage),
  page('manager', `${PATH}/new`, (visit) => addPage(visit)),
  form('manager', `${PATH}/new`, add),
  page('viewer', `${PATH}/:botId`, botPage),
  page('manager', `${PATH}/:botId/stop`, (visit) => confirmPage(visit, 'stop')),
  form('manager', `${PATH}/:botId/stop`, (visit) => setStopped(visit, true)),
  form('manager', `${PATH}/:botId/start`, (visit) => setStopped(visit, false)),
  form('owner', `${PATH}/:botId/listening`, setMayListen),
  page('manager', `${PATH}/:botId/remove`, (visit) => confirmPage(visit, 'remove')),
  form('manager', `${PATH}/:botId/remove`, remove),
]

function addPage(visit: ProjectVisit, draft: Draft = EMPTY): Page {
  const { project, language } = visit
  const w = BOTS[language]
  const base = `/dashboard/projects/${project.id}/bots`
  return {
    kind: 'page',
    title: w.add,
    status: draft === EMPTY ? 200 : 422,
    body: html`${head(w.add, { lead: w.addLead, back: { to: base, label: w.title } })}
    ${formTo(
      visit,
      `${base}/new`,
      html`${field({ name: 'token', label: w.token, type: 'password', hint: w.tokenHint, draft, isRequired: true, hasFocus: true })}
      ${buttons(w.addButton, { cancel: { value: base, label: COMMON[language].cancel } })}`,
      { draft },
    )}`,
  }
}

async function add(visit: ProjectVisit): Promise<Outcome> {
  const { desk, project, language } = visit
  const w = BOTS[language]
  // As people copy it: with spaces round it, with the word `Bot` before it.
  const token = z
    .string()
    .trim()
    .transform((text) => text.replace(/^Bot\s+/i, ''))
    .pipe(z.string().regex(/^[\x21-\x7e]{10,200}$/, w.noToken))
  const { data, draft } = readForm(z.object({ token }), visit.form)
  if (!data) return addPage(visit, draft)
  const refuse = (problem: string) => addPage(visit, withProblem(draft, 'token', problem))
  try {
    const found = await identify(visit, data.token)
    if (!found) return refuse(w.refused(desk.discords.map(({ called }) => called).join(', ')))
    const bot = desk.bots.add({ ...found, projectId: project.id, token: data.token })
    desk.fleet.sync()
    record(visit, 'bot.added', bot.name, { id: bot.id })
    return redirect(`/dashboard/projects/${project.id}/bots/${bot.id}?done=added`)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code === 'conflict') return refuse(w.foreign)
    if (error.code === 'validation_error') return refuse(w.person)
    if (error.code === 'service_unavailable') return refuse(w.away)
    throw error
  }
}

async function identify(
  { desk }: ProjectVisit,
  token: string,
): Promise<(BotIdentity & { readonly sandbox: boolean }) | null> {
  for (const { apiUrl, called, sandbox } of desk.discords) {
    const identity = await identifyBot({ apiUrl, called, token })
    if (identity) return { ...identity, sandbox }
  }
  return null
}

function confirmPage(visit: ProjectVisit, what: 'stop' | 'remove'): Page {
  const { project, language } = visit
  const w = BOTS[language]
  const bot = botOf(visit)
  const to = `/dashboard/projects/${project.id}/bots/${bot.id}`
  const [title, lead, button] =
    what === 'stop'
      ? [w.stopTitle(bot.name), w.stopText, w.stopButton]
      : [w.removeTitle(bot.name), w.removeText, w.removeButton]
  return {
    kind: 'page',
    title,
    body: html`${head(title, { lead, back: { to, label: bot.name } })}
    ${formTo(visit, `${to}/${what}`, buttons(button, { isDangerous: true, cancel: { value: to, label: w.keep } }))}`,
  }
}

function setStopped(visit: ProjectVisit, stopped: boolean): Outcome {
  const { desk, project } = visit
  const bot = botOf(visit)
  desk.bots.setStopped(project.id, bot.id, stopped)
  desk.fleet.sync()
  record(visit, stopped ? 'bot.stopped' : 'bot.started', bot.name, { id: bot.id })
  return redirect(`/dashboard/projects/${project.id}/bots/${bot.id}?done=${stopped ? 'stopped' : 'started'}`)
}

function setMayListen(visit: ProjectVisit): Outcome {
  const { desk, project, form: sent } = visit
  const bot = botOf(visit)
  const allowed = sent.get('allowed') === 'yes'
  desk.bots.setMayListen(project.id, bot.id, allowed)
  if (allowed !== bot.mayListen)
    record(visit, allowed ? 'listening.allowed' : 'listening.ended', bot.name, { id: bot.id })
  return redirect(`/dashboard/projects/${project.id}/bots/${bot.id}?done=listening`)
}

function remove(visit: ProjectVisit): Outcome {
  const { desk, project } = visit
  const bot = botOf(visit)
  desk.bots.remove(project.id, bot.id)
  desk.fleet.sync()
  record(visit, 'bot.removed', bot.name, { id: bot.id })
  return redirect(`/dashboard/projects/${project.id}/bots?done=removed`)
}
