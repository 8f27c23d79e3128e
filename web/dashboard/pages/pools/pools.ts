import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import { keyState, type ApiKey } from '../../../../db/projects/keys.ts'
import { MAX_POOL_BOTS, MAX_POOLS, type Pool } from '../../../../db/projects/pools.ts'
import { Fault } from '../../../../lib/errors.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { changesBetween } from '../../http/changes.ts'
import { isAtLeast, record, type ProjectRequest } from '../../http/page-request.ts'
import { form, page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { copyId, copyPrefix, doneNote, head, keyLabel, linkButton, note, number } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { formPage, buttons, choices, field, formTo } from '../../ui/forms.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { nameField } from '../fields.ts'
import { SNOWFLAKE } from '../../../../lib/validation/snowflake.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const POOLS = textsOf('dashboard-pools')

const PATH = '/dashboard/projects/:projectId/pools'

export const POOL_PAGES: readonly PageRoute[] = [
  page('manager', `${PATH}/new`, (request) => createPage(request)),
  form('manager', `${PATH}/new`, create),
  page('viewer', `${PATH}/:poolId`, (request) => poolPage(request)),
  form('manager', `${PATH}/:poolId`, change),
  page('manager', `${PATH}/:poolId/remove`, removePage),
  form('manager', `${PATH}/:poolId/remove`, remove),
]

/** The pools of a project, on the page of its bots. */
export async function poolSection(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = POOLS[language]
  const base = baseOf(request)
  const [nameOf, active] = [await botNames(request), await activeKeys(request)]
  const rows = (await context.pools.list(project.id)).map(
    (pool) =>
      html`<tr>
        <th scope="row"><a href="${base}/${pool.id}">${pool.name}</a></th>
        <td>${pool.botIds.map(nameOf).join(', ')}</td>
        <td>${number(language, active.filter(({ poolId }) => poolId === pool.id).length)}</td>
      </tr>`,
  )
  return html`<section>
    <h2>${w.title}</h2>
    ${doneNote(request, { poolRemoved: w.done.removed })}
    <p class="lead">${rows.length === 0 ? w.empty : w.lead}</p>
    ${rows.length > 0 && table(w.title, [[w.name, 'name'], w.bots, [w.keys, 'number']], rows)}
    ${
      isAtLeast(project.role, 'manager') &&
      rows.length < MAX_POOLS &&
      html`<p class="after">${linkButton(`${base}/new`, w.create, { icon: 'plus' })}</p>`
    }
  </section>`
}

function baseOf({ project }: ProjectRequest): string {
  return `/dashboard/projects/${project.id}/pools`
}

async function poolOf({ context, project, params }: ProjectRequest): Promise<Pool> {
  return await context.pools.get(project.id, params['poolId'] ?? '')
}

async function activeKeys({ context, project }: ProjectRequest): Promise<readonly ApiKey[]> {
  const nowMs = context.now()
  return (await context.keys.list(project.id)).filter((key) => keyState(key, nowMs) === 'active')
}

async function botNames({ context, project, language }: ProjectRequest): Promise<(botId: string) => string> {
  const names = new Map((await context.bots.list(project.id)).map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? `${id} (${POOLS[language].otherService})`
}

interface Shown {
  readonly name: string
  readonly botIds: readonly string[]
}

async function fieldsOf(request: ProjectRequest, { name, botIds }: Shown, draft: Draft): Promise<Markup> {
  const { context, project, language } = request
  const w = POOLS[language]
  const own = (await context.bots.list(project.id)).map((bot) => ({ value: bot.id, label: bot.name }))
  const known = new Set(own.map(({ value }) => value))
  const others = botIds.filter((id) => !known.has(id)).map((id) => ({ value: id, label: id, hint: w.otherService }))
  return html`${field({ name: 'name', label: w.name, hint: w.nameHint, draft, value: name, maxLength: 100, isRequired: true })}
  ${choices({ name: 'bots', kind: 'checkbox', label: w.bots, hint: w.botsHint, options: [...own, ...others], chosen: botIds, draft })}`
}

function schema(language: PageLanguage) {
  const w = POOLS[language]
  const bots = z.array(z.string().regex(SNOWFLAKE), w.noBot)
  return z.object({
    name: nameField(language),
    bots: bots.min(1, w.noBot).max(MAX_POOL_BOTS, w.manyBots({ max: MAX_POOL_BOTS })),
  })
}

async function createPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = POOLS[language]
  const back = backToBots(request)
  const isFull = (await context.pools.list(project.id)).length >= MAX_POOLS
  const botIds = (await context.bots.list(project.id)).map(({ id }) => id)
  return formPage(
    request,
    w.create,
    {
      lead: w.createLead,
      back,
      to: `${baseOf(request)}/new`,
      button: w.createButton,
      draft,
      before: isFull && note('warn', w.full({ max: MAX_POOLS })),
    },
    await fieldsOf(request, { name: '', botIds }, draft),
  )
}

function backToBots({ project, language }: ProjectRequest) {
  return { to: `/dashboard/projects/${project.id}/bots`, label: POOLS[language].title }
}

async function create(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language } = request
  const { data, draft } = readForm(schema(language), request, ['bots'])
  if (!data) return await createPage(request, draft)
  try {
    const pool = await context.pools.create({ projectId: project.id, name: data.name, botIds: data.bots })
    await record(request, 'pool.created', pool.name, { id: pool.id })
    return redirect(`${baseOf(request)}/${pool.id}?done=created`)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return await createPage(request, withProblem(draft, 'form', POOLS[language].full({ max: MAX_POOLS })))
  }
}

async function poolPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { project, language } = request
  const w = POOLS[language]
  const pool = await poolOf(request)
  const nameOf = await botNames(request)
  const to = `${baseOf(request)}/${pool.id}`
  const mayChange = isAtLeast(project.role, 'manager')
  return {
    kind: 'page',
    title: pool.name,
    status: draft === EMPTY_DRAFT ? 200 : 422,
    body: html`${head(pool.name, { lead: w.lead, back: backToBots(request), action: mayChange && linkButton(`${to}/remove`, w.remove) })}
      ${doneNote(request, w.done)} ${pool.botIds.length === 0 && note('warn', w.noBots)}
      <p class="lead after">${copyId(language, 'pool', pool.id)}</p>
      ${
        mayChange
          ? formTo(request, to, html`${await fieldsOf(request, pool, draft)} ${buttons(COMMON[language].save, {})}`, {
              draft,
            })
          : html`<ul class="lines">
              ${pool.botIds.map((id) => html`<li>${nameOf(id)}</li>`)}
            </ul>`
      }
      ${await keySection(request, pool)}`,
  }
}

async function keySection(request: ProjectRequest, pool: Pool): Promise<Markup> {
  const { project, language } = request
  const w = POOLS[language]
  const base = `/dashboard/projects/${project.id}/keys`
  const linked = (await activeKeys(request)).filter(({ poolId }) => poolId === pool.id)
  const items = linked.map(
    (key) =>
      html`<li><a href="${base}/${key.id}">${keyLabel(key)}</a> ${copyPrefix(request.language, key.prefix)}</li>`,
  )
  return html`<section>
    <h2>${w.keysTitle}</h2>
    ${
      items.length === 0
        ? html`<p class="lead">${w.keysNone}</p>`
        : html`<ul class="lines">
            ${items}
          </ul>`
    }
    ${isAtLeast(project.role, 'manager') && html`<p>${linkButton(`${base}/new?bot=${pool.id}`, w.newKey, { icon: 'plus' })}</p>`}
  </section>`
}

async function change(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language } = request
  const pool = await poolOf(request)
  const { data, draft } = readForm(schema(language), request, ['bots'])
  if (!data) return await poolPage(request, draft)
  await context.pools.change(project.id, pool.id, { name: data.name, botIds: data.bots })
  const names = new Map((await context.bots.list(project.id)).map(({ id, name }) => [id, name]))
  const shown = (name: string, botIds: readonly string[]) => {
    return { name, bots: botIds.map((id) => names.get(id) ?? id).join(', ') }
  }
  const changes = changesBetween(shown(pool.name, pool.botIds), shown(data.name, data.bots))
  await record(request, 'pool.changed', data.name, { id: pool.id, ...changes })
  return redirect(`${baseOf(request)}/${pool.id}?done=changed`)
}

async function removePage(request: ProjectRequest): Promise<HtmlPage> {
  const w = POOLS[request.language]
  const { id, name } = await poolOf(request)
  const to = `${baseOf(request)}/${id}`
  return formPage(request, w.removeTitle({ name }), {
    lead: w.removeText,
    back: { to, label: name },
    to: `${to}/remove`,
    button: w.removeButton,
    isDangerous: true,
    cancel: w.keep,
  })
}

async function remove(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const pool = await poolOf(request)
  await context.pools.remove(project.id, pool.id)
  await record(request, 'pool.removed', pool.name, { id: pool.id })
  return redirect(`/dashboard/projects/${project.id}/bots?done=poolRemoved`)
}
