import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import { keyState } from '../../../../db/projects/keys.ts'
import { PLAN_NAMES, PLANS, type Plan } from '../../../../lib/plans.ts'
import { EMPTY_DRAFT, readForm, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { formPage, buttons, choices, field, formTo, type Option } from '../../ui/forms.ts'
import { copyId, doneNote, emptyState, head, linkButton } from '../../ui/components.ts'
import { record, type AccountRequest, type ProjectRequest } from '../../http/page-request.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { nameField } from '../fields.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const PROJECTS = textsOf('dashboard-projects')

const PATH = '/dashboard/projects'
const PlanForm = z.object({ plan: z.enum(PLAN_NAMES) })

export const PROJECT_PAGES: readonly PageRoute[] = [
  page('account', PATH, listPage),
  page('operator', `${PATH}/new`, (request) => createPage(request, EMPTY_DRAFT)),
  form('operator', `${PATH}/new`, create),
  page('viewer', `${PATH}/:projectId/settings`, (request) => settingsPage(request, EMPTY_DRAFT)),
  form('owner', `${PATH}/:projectId/settings/name`, rename),
  form('owner', `${PATH}/:projectId/settings/plan`, changePlan),
]

/** The number of keys and bots of a project, on its card. */
async function holds({ context, language }: AccountRequest, projectId: string): Promise<string> {
  const active = (await context.keys.list(projectId)).filter((key) => keyState(key, context.now()) === 'active')
  const w = PROJECTS[language]
  const bots = await context.bots.list(projectId)
  return w.holds({ keys: w.activeKeys({ count: active.length }), bots: w.botCount({ count: bots.length }) })
}

async function listPage(request: AccountRequest): Promise<HtmlPage> {
  const { context, account, language } = request
  const w = PROJECTS[language]
  const projects = await context.memberships.projectsOf(account.id)
  const cards = await Promise.all(
    projects.map(async (project) => ({ project, content: await holds(request, project.id) })),
  )
  const button = account.isOperator && linkButton(`${PATH}/new`, w.create, { kind: 'primary', icon: 'plus' })
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: projects.length > 0 && button })}
    ${
      projects.length === 0
        ? emptyState('projects', w.emptyTitle, account.isOperator ? w.emptyOperator : w.emptyMember, button)
        : html`<ul class="cards">
            ${cards.map(
              ({ project, content }) =>
                html`<li>
                  <a class="card" href="${PATH}/${project.id}"
                    ><h2>${project.name}</h2>
                    <small>${project.plan} · ${w.role({ role: COMMON[language].roles[project.role] })}</small>
                    <small>${content}</small></a
                  >
                </li>`,
            )}
          </ul>`
    }`,
  }
}

function createPage(request: AccountRequest, draft: Draft): HtmlPage {
  const { language } = request
  const w = PROJECTS[language]
  return formPage(
    request,
    w.createTitle,
    { lead: w.createLead, back: { to: PATH, label: w.title }, to: `${PATH}/new`, button: w.createButton, draft },
    html`${field({ name: 'name', label: w.name, hint: w.nameHint, draft, maxLength: 100, hasFocus: true })}
    ${planChoices(language, 'free', draft)}`,
  )
}

function planChoices(language: PageLanguage, chosen: Plan, draft?: Draft): Markup {
  const options = PLAN_NAMES.map((plan): Option => ({ value: plan, label: plan, hint: planWords(language, plan) }))
  const given = draft && { draft }
  return choices({ name: 'plan', kind: 'radio', label: PROJECTS[language].plan, options, chosen: [chosen], ...given })
}

function planWords(language: PageLanguage, plan: Plan): string {
  const w = PROJECTS[language]
  const { aggregate, browser, players } = PLANS[plan]
  const parts = [
    w.planRequests({ count: aggregate }),
    w.planPlayers({ count: players }),
    w.planScreenshots({ count: browser ?? 0 }),
  ]
  return parts.join(' · ')
}

async function create(request: AccountRequest): Promise<Outcome> {
  const { context, account, language } = request
  const { data, draft } = readForm(z.object({ name: nameField(language), plan: z.enum(PLAN_NAMES) }), request)
  if (!data) return createPage(request, draft)
  const project = { ...(await context.projects.create(data)), role: 'owner' as const }
  await context.memberships.set(project.id, account.id, 'owner')
  await record({ ...request, project }, 'project.created', project.name, { plan: project.plan })
  return redirect(`${PATH}/${project.id}?done=created`)
}

function settingsPage(request: ProjectRequest, draft: Draft): HtmlPage {
  const { project, account, language } = request
  const w = PROJECTS[language]
  const isOwner = project.role === 'owner'
  const base = `${PATH}/${project.id}/settings`
  return {
    kind: 'page',
    title: w.settings,
    status: draft === EMPTY_DRAFT ? 200 : 422,
    body: html`${head(w.settings, { lead: w.settingsLead })} ${doneNote(request, w.done)}
      ${
        isOwner
          ? formTo(
              request,
              `${base}/name`,
              html`${field({ name: 'name', label: w.name, hint: w.nameHint, value: project.name, draft, maxLength: 100 })}
              ${buttons(w.rename)}`,
              { draft },
            )
          : html`<dl class="facts">
              <dt>${w.name}</dt>
              <dd>${project.name}</dd>
            </dl>`
      }
      <section>
        <h2>${w.planTitle}</h2>
        <p class="lead">${account.isOperator && isOwner ? w.planLead : w.planOnlyOperator}</p>
        ${
          account.isOperator && isOwner
            ? formTo(request, `${base}/plan`, [planChoices(language, project.plan), buttons(w.planSave)])
            : html`<dl class="facts">
                <dt>${w.plan}</dt>
                <dd>${project.plan} <small>${planWords(language, project.plan)}</small></dd>
              </dl>`
        }
      </section>
      <section>
        <h2 id="project-id" tabindex="-1">${w.id}</h2>
        <p>${copyId(language, 'project', project.id)} <small>${w.idHint}</small></p>
      </section>`,
  }
}

async function rename(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language } = request
  const { data, draft } = readForm(z.object({ name: nameField(language) }), request)
  if (!data) return settingsPage(request, draft)
  await context.projects.rename(project.id, data.name)
  await record(request, 'project.renamed', data.name, { before: project.name, after: data.name })
  return redirect(`${PATH}/${project.id}/settings?done=renamed`)
}

async function changePlan(request: ProjectRequest): Promise<Outcome> {
  const { context, project, account } = request
  const { data } = readForm(PlanForm, request)
  // Plans cost their owners nothing, so only operators may change them.
  if (!data || !account.isOperator) return settingsPage(request, EMPTY_DRAFT)
  await context.projects.setPlan(project.id, data.plan)
  await record(request, 'plan.changed', project.name, { before: project.plan, after: data.plan })
  return redirect(`${PATH}/${project.id}/settings?done=plan`)
}
