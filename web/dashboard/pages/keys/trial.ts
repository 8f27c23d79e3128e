import { Fault } from '../../../../lib/errors.ts'
import { TRIAL_MS } from '../../../http/one-time-tokens.ts'
import { isAtLeast, record, type AccountRequest, type PageRequest } from '../../http/page-request.ts'
import { form, page, type Outcome, type PageRoute } from '../../http/route.ts'

/** Not in the language of who made it: all members see it in the list of keys. */
const NAME = 'try it'
const REPLAY_MS = 5 * 60_000

/** For the try-it form of the reference, a key that lives for an hour; for a replay, one `like` that of the request, for minutes. */
export const TRIAL_KEYS: readonly PageRoute[] = [
  page('anyone', '/dashboard/trial-key', choices),
  form('account', '/dashboard/trial-key', make),
]

/** Lists the projects and bots that a key can be made for, and the guilds of these bots; empty without a session. */
async function choices(request: PageRequest): Promise<Outcome> {
  const { context, account, csrf } = request
  if (!account) return json({})
  const projects = await context.memberships.projectsOf(account.id)
  const all = await Promise.all(
    projects.map(async (project) => ({ project, bots: await context.bots.list(project.id) })),
  )
  await context.fleet.refresh(all.flatMap(({ bots }) => bots.map(({ id }) => id)))
  const own = all.filter(({ project }) => isAtLeast(project.role, 'manager'))
  // Guilds that a key can be made for come first: the form begins with one, and with the key of its bot.
  const placed = [...own, ...all.filter((it) => !own.includes(it))]
  const guilds = placed.flatMap(({ project, bots }) =>
    bots.flatMap((bot) =>
      context.fleet.guildsOf(bot.id).map(({ id, name, channels }) => {
        return { id, name, channels, project: project.id, bot: bot.id }
      }),
    ),
  )
  return json({
    csrf,
    choices: own.flatMap(choicesOf),
    guilds,
  })
}

interface TrialChoice {
  readonly project: string
  /** Null: the project has no bot. */
  readonly bot: string | null
  readonly label: string
}

interface OwnProjectBots {
  readonly project: { readonly id: string; readonly name: string }
  readonly bots: readonly { readonly id: string; readonly name: string }[]
}

function choicesOf({ project, bots }: OwnProjectBots): TrialChoice[] {
  if (bots.length === 0) return [{ project: project.id, bot: null, label: project.name }]
  return bots.map((bot) => ({ project: project.id, bot: bot.id, label: `${project.name} · ${bot.name}` }))
}

/** A second key of the same session and project ends the first. */
async function make(request: AccountRequest): Promise<Outcome> {
  const { context, account, session, form: sent } = request
  const projectId = sent.get('project') ?? ''
  const role = await context.memberships.role(projectId, account.id)
  if (!role) throw new Fault('not_found', 'Project not found.')
  if (!isAtLeast(role, 'manager')) throw new Fault('forbidden', 'This needs the role manager.')
  const of = { ...request, project: { ...(await context.projects.get(projectId)), role } }
  const bot = (await context.bots.list(projectId)).find(({ id }) => id === sent.get('bot'))
  const like = (await context.keys.list(projectId)).find(({ id }) => id === sent.get('like'))
  const { botId, poolId, classes } = like ?? { botId: bot?.id ?? null, poolId: null, classes: null }
  const former = await context.tickets.take('trial', session.id, projectId)
  if (former) {
    const { prefix } = await context.keys.revoke(projectId, former.keyId)
    await record(of, 'key.revoked', NAME, { prefix })
  }
  try {
    const untilMs = context.now() + (like ? REPLAY_MS : TRIAL_MS)
    const made = await context.keys.create({ projectId, name: NAME, botId, poolId, classes, expiresAtMs: untilMs })
    const expires = new Date(untilMs).toISOString()
    await record(of, 'key.created', NAME, { prefix: made.prefix, bot: botId, expires })
    await context.tickets.keep('trial', session.id, projectId, { keyId: made.id })
    return json({ key: made.key, untilMs })
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return json({ problem: 'full' })
  }
}

function json(value: unknown): Outcome {
  return { kind: 'file', contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}
