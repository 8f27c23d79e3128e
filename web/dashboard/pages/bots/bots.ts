import { z } from 'zod'
import { Fault } from '../../../../lib/errors.ts'
import { identifyBot, type BotIdentity } from '../../../../upstream/discord/discord.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { formPage, field } from '../../ui/forms.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { bulkPages, type BulkList } from '../bulk.ts'
import { botOf, botPage, listPage } from './show.ts'
import { permissionsPage } from './permissions.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const BOTS = textsOf('dashboard-bots')

const PATH = '/dashboard/projects/:projectId/bots'

const BULK: BulkList = {
  path: 'bots',
  access: 'manager',
  param: 'botId',
  words: (language) => BOTS[language].bulk,
  rows: async ({ context, project }) =>
    (await context.bots.list(project.id)).map(({ id, name, stopped }) => ({
      id,
      name,
      can: [stopped ? 'start' : 'stop'],
    })),
  actions: { start: (request) => setStopped(request, false), stop: (request) => setStopped(request, true) },
}

export const BOT_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, (request) => listPage(request, BULK)),
  page('manager', `${PATH}/new`, (request) => addPage(request)),
  form('manager', `${PATH}/new`, add),
  page('viewer', `${PATH}/:botId`, botPage),
  page('viewer', `${PATH}/:botId/guilds/:guildId`, permissionsPage),
  page('manager', `${PATH}/:botId/stop`, (request) => confirmPage(request, 'stop')),
  form('manager', `${PATH}/:botId/stop`, (request) => setStopped(request, true)),
  form('manager', `${PATH}/:botId/start`, (request) => setStopped(request, false)),
  form('owner', `${PATH}/:botId/listening`, setMayListen),
  page('manager', `${PATH}/:botId/remove`, (request) => confirmPage(request, 'remove')),
  form('manager', `${PATH}/:botId/remove`, remove),
  ...bulkPages(BULK),
]

function addPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): HtmlPage {
  const { project, language } = request
  const w = BOTS[language]
  const base = `/dashboard/projects/${project.id}/bots`
  return formPage(
    request,
    w.add,
    { lead: w.addLead, back: { to: base, label: w.title }, to: `${base}/new`, button: w.addButton, draft },
    field({
      name: 'token',
      label: w.token,
      type: 'password',
      hint: w.tokenHint,
      draft,
      isRequired: true,
      hasFocus: true,
    }),
  )
}

async function add(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language } = request
  const w = BOTS[language]
  // Tokens are pasted with spaces around them or with the prefix `Bot`.
  const token = z
    .string()
    .trim()
    .transform((text) => text.replace(/^Bot\s+/i, ''))
    .pipe(z.string().regex(/^[\x21-\x7e]{10,200}$/, w.noToken))
  const { data, draft } = readForm(z.object({ token }), request)
  if (!data) return addPage(request, draft)
  const refuse = (problem: string) => addPage(request, withProblem(draft, 'token', problem))
  try {
    const found = await identify(request, data.token)
    if (!found) return refuse(w.refused({ who: context.discords.map(({ called }) => called).join(', ') }))
    const bot = await context.bots.add({ ...found, projectId: project.id, token: data.token })
    await context.fleet.sync()
    await record(request, 'bot.added', bot.name, { id: bot.id })
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
  { context, account, address }: ProjectRequest,
  token: string,
): Promise<(BotIdentity & { readonly sandbox: boolean }) | null> {
  // Discord bans an address for too many wrong ones.
  const who = `bot token ${account.id}`
  const waitMs = await context.throttle.attempt(who, address)
  if (waitMs > 0)
    throw new Fault('rate_limited', 'Too many tokens were wrong. Wait a moment.', { retryAfterMs: waitMs })
  for (const { apiUrl, called, sandbox } of context.discords) {
    const identity = await identifyBot({ apiUrl, called, token })
    if (!identity) continue
    await context.throttle.succeeded(who, address)
    return { ...identity, sandbox }
  }
  return null
}

async function confirmPage(request: ProjectRequest, what: 'stop' | 'remove'): Promise<HtmlPage> {
  const { project, language } = request
  const w = BOTS[language]
  const bot = await botOf(request)
  const to = `/dashboard/projects/${project.id}/bots/${bot.id}`
  const [title, lead, button] =
    what === 'stop'
      ? [w.stopTitle({ name: bot.name }), w.stopText, w.stopButton]
      : [w.removeTitle({ name: bot.name }), w.removeText, w.removeButton]
  return formPage(request, title, {
    lead,
    back: { to, label: bot.name },
    to: `${to}/${what}`,
    button,
    isDangerous: true,
    cancel: w.keep,
  })
}

async function setStopped(request: ProjectRequest, stopped: boolean): Promise<Outcome> {
  const { context, project } = request
  const bot = await botOf(request)
  await context.bots.setStopped(project.id, bot.id, stopped)
  await context.fleet.sync()
  await record(request, stopped ? 'bot.stopped' : 'bot.started', bot.name, { id: bot.id })
  return redirect(`/dashboard/projects/${project.id}/bots/${bot.id}?done=${stopped ? 'stopped' : 'started'}`)
}

async function setMayListen(request: ProjectRequest): Promise<Outcome> {
  const { context, project, form: sent } = request
  const bot = await botOf(request)
  const allowed = sent.get('allowed') === 'yes'
  await context.bots.setMayListen(project.id, bot.id, allowed)
  if (allowed !== bot.mayListen)
    await record(request, allowed ? 'listening.allowed' : 'listening.ended', bot.name, { id: bot.id })
  return redirect(`/dashboard/projects/${project.id}/bots/${bot.id}?done=listening`)
}

async function remove(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const bot = await botOf(request)
  await context.bots.remove(project.id, bot.id)
  await context.fleet.sync()
  await record(request, 'bot.removed', bot.name, { id: bot.id })
  return redirect(`/dashboard/projects/${project.id}/bots?done=removed`)
}
