import { html, type Markup } from '../../../../lib/html.ts'
import { keyState } from '../../../../db/projects/keys.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { redirect, type Outcome } from '../../http/route.ts'
import { inlineForm } from '../../ui/forms.ts'
import { icon } from '../../../ui/icons.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const OVERVIEW = textsOf('dashboard-overview')

type StepName = 'bot' | 'invite' | 'play' | 'key'

interface Step {
  readonly name: StepName
  readonly to: string
  readonly isDone: boolean
}

/** Steps from an empty project to music, ticked off as they are done. */
async function stepsOf({ context, project }: ProjectRequest): Promise<readonly Step[]> {
  const base = `/dashboard/projects/${project.id}`
  const bots = await context.bots.list(project.id)
  const [first] = bots
  const playing = context.fleet.countPlayers(project.id) > 0
  const hasPlayed = playing || (await context.history.hasAny(bots.map(({ id }) => id)))
  const isInvited = hasPlayed || bots.some(({ id }) => context.fleet.guildsOf(id).length > 0)
  const hasKey = (await context.keys.list(project.id)).some((key) => keyState(key, context.now()) === 'active')
  return [
    { name: 'bot', to: `${base}/bots/new`, isDone: first !== undefined },
    { name: 'invite', to: first ? `${base}/bots/${first.id}` : `${base}/bots`, isDone: isInvited },
    { name: 'play', to: `${base}/players`, isDone: hasPlayed },
    { name: 'key', to: `${base}/keys/new`, isDone: hasKey },
  ]
}

/** The next steps; nothing without the right to do them, once all are done, or if dismissed. */
export async function nextSteps(request: ProjectRequest): Promise<Markup | false> {
  const { context, project, account, language } = request
  const w = OVERVIEW[language]
  if (!isAtLeast(project.role, 'manager')) return false
  if (await context.memberships.hidesSteps(project.id, account.id)) return false
  const steps = await stepsOf(request)
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return false
  const next = steps.find(({ isDone }) => !isDone)
  const dismiss = html`<button class="button small">${w.dismiss}</button>`
  return html`<section class="panel steps">
    <header>
      <h2>${w.steps}</h2>
      <small>${w.stepsLead({ done, all: steps.length })}</small>
      ${inlineForm(request, `/dashboard/projects/${project.id}/hide-steps`, dismiss)}
    </header>
    <ol>
      ${steps.map((step) => item(request, step, step === next))}
    </ol>
  </section>`
}

function item({ language }: ProjectRequest, { name, to, isDone }: Step, isNext: boolean): Markup {
  const w = OVERVIEW[language]
  const [title, text] = w.stepTexts[name]
  return html`<li class="${isDone ? 'done' : isNext && 'next'}" ${isNext && { markup: 'aria-current="step"' }}>
    ${isDone ? html`<span class="tick">${icon('check')}<span class="hidden">${w.stepDone}</span></span>` : html`<span class="tick"></span>`}
    <div>
      ${isDone ? html`<b>${title}</b>` : html`<a href="${to}">${title}</a>`}
      <small>${text}</small>
    </div>
  </li>`
}

export async function hideSteps({ context, project, account }: ProjectRequest): Promise<Outcome> {
  await context.memberships.hideSteps(project.id, account.id)
  return redirect(`/dashboard/projects/${project.id}`)
}
