import { html, type Markup } from '../../../../lib/html.ts'
import type { BotState } from '../../../../bot/discord/bot-status.ts'
import type { BotRecord } from '../../../../db/projects/bots.ts'
import { keyState, type ApiKey } from '../../../../db/projects/keys.ts'
import { Fault } from '../../../../lib/errors.ts'
import { inviteUrl } from '../../../../upstream/discord/invite-url.ts'
import type { HtmlPage } from '../../http/route.ts'
import { commandLine } from '../../ui/command-line.ts'
import { inlineForm } from '../../ui/forms.ts'
import {
  ago,
  chip,
  copyId,
  copyPrefix,
  doneNote,
  emptyState,
  head,
  keyLabel,
  linkButton,
  moment,
  note,
  number,
  type Tone,
} from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { bulkCell, bulkColumn, bulkTable, type BulkList } from '../bulk.ts'
import { poolSection } from '../pools/pools.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const PERMISSION_WORDS = textsOf('dashboard-permissions')
const BOTS = textsOf('dashboard-bots')

const TONES = {
  connected: 'good',
  connecting: 'warn',
  refused: 'bad',
  unreadable: 'bad',
  stopped: 'quiet',
} as const satisfies Record<BotState, Tone>

export async function botOf({ context, project, params }: ProjectRequest): Promise<BotRecord> {
  const bot = (await context.bots.list(project.id)).find(({ id }) => id === params['botId'])
  if (!bot) throw new Fault('not_found', 'The project has no bot with this ID.')
  return bot
}

export async function listPage(request: ProjectRequest, bulk: BulkList): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = BOTS[language]
  const bots = await context.bots.list(project.id)
  const mayChange = isAtLeast(project.role, 'manager')
  const base = `/dashboard/projects/${project.id}/bots`
  const button = mayChange && linkButton(`${base}/new`, w.add, { kind: 'primary', icon: 'plus' })
  const active = await activeKeys(request)
  const rows = bots.map(
    (bot) =>
      html`<tr>
        ${bulkCell(request, bulk, bot.id, bot.name)}
        <th scope="row">
          <a href="${base}/${bot.id}">${bot.name}</a>
          ${bot.sandbox && html`<small>${w.sandbox}</small>`}
        </th>
        <td>${botChip(request, bot)}</td>
        <td>${number(language, context.fleet.countGuilds(bot.id))}</td>
        <td>${number(language, active.filter(({ botId }) => botId === bot.id).length)}</td>
        <td>${ago(request, bot.createdAtMs)}</td>
      </tr>`,
  )
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: bots.length > 0 && button })} ${doneNote(request, w.done)}
    ${
      bots.length === 0
        ? emptyState('bot', w.emptyTitle, mayChange ? w.emptyText : w.emptyViewer, button)
        : html`${bulkTable(
            request,
            bulk,
            table(
              w.title,
              [
                ...bulkColumn(request, bulk),
                [w.name, 'name'],
                [w.state, 'label'],
                [w.guilds, 'number'],
                [w.keys, 'number'],
                [w.added, 'label'],
              ],
              rows,
            ),
          )}
          ${await poolSection(request)}`
    }`,
  }
}

function stateOf({ context }: ProjectRequest, bot: BotRecord): BotState {
  return bot.stopped ? 'stopped' : context.fleet.stateOf(bot.id)
}

export function botChip(request: ProjectRequest, bot: BotRecord): Markup {
  const state = stateOf(request, bot)
  return chip(TONES[state], BOTS[request.language].states[state])
}

/** The step that a person must take before the bot can run. */
function troubleNote(request: ProjectRequest, bot: BotRecord): Markup | false {
  const { refusedText, unreadableText } = BOTS[request.language]
  const state = stateOf(request, bot)
  if (state === 'unreadable') return note('bad', unreadableText)
  return state === 'refused' && note('bad', refusedText)
}

async function activeKeys({ context, project }: ProjectRequest): Promise<readonly ApiKey[]> {
  const nowMs = context.now()
  return (await context.keys.list(project.id)).filter((key) => keyState(key, nowMs) === 'active')
}

export async function botPage(request: ProjectRequest): Promise<HtmlPage> {
  const { project, language } = request
  const w = BOTS[language]
  const bot = await botOf(request)
  const base = `/dashboard/projects/${project.id}/bots`
  const mayChange = isAtLeast(project.role, 'manager')
  return {
    kind: 'page',
    title: bot.name,
    body: html`${head(bot.name, { back: { to: base, label: w.title }, action: mayChange && actions(request, bot) })}
      ${doneNote(request, w.done)} ${troubleNote(request, bot)}
      <dl class="facts">
        <dt>${w.state}</dt>
        <dd>${botChip(request, bot)} ${bot.sandbox && html`<small>${w.sandbox}</small>`}</dd>
        <dt>${w.added}</dt>
        <dd>${moment(request, bot.createdAtMs)}</dd>
        <dt>${w.id}</dt>
        <dd>${copyId(language, 'bot', bot.id)}</dd>
      </dl>
      ${
        mayChange &&
        !bot.sandbox &&
        html`<section>
          <h2>${w.invite}</h2>
          <p class="lead">${w.inviteText}</p>
          ${linkButton(inviteUrl(bot.id), w.open)}
        </section>`
      }
      ${!bot.sandbox && listening(request, bot)} ${guilds(request, bot)} ${await keys(request, bot)}`,
  }
}

function actions(request: ProjectRequest, bot: BotRecord): readonly Markup[] {
  const w = BOTS[request.language]
  const to = `/dashboard/projects/${request.project.id}/bots/${bot.id}`
  const start = html`<button class="button primary">${w.start}</button>`
  return [
    bot.stopped ? inlineForm(request, `${to}/start`, start) : linkButton(`${to}/stop`, w.stop),
    linkButton(`${to}/remove`, w.remove),
  ]
}

/** The switch for listening along. Sandbox accounts have no Discord user in a channel. */
function listening(request: ProjectRequest, bot: BotRecord): Markup {
  const { project, language } = request
  const w = BOTS[language]
  const button = html`<button class="button" name="allowed" value="${bot.mayListen ? 'no' : 'yes'}">
    ${bot.mayListen ? w.listeningEnd : w.listeningAllow}
  </button>`
  return html`<section>
    <h2>${w.listening}</h2>
    <p class="lead">${bot.mayListen ? w.listeningOn : w.listeningOff}</p>
    ${
      project.role === 'owner'
        ? inlineForm(request, `/dashboard/projects/${project.id}/bots/${bot.id}/listening`, button)
        : html`<p class="hint">${w.listeningOwner}</p>`
    }
  </section>`
}

function guilds(request: ProjectRequest, bot: BotRecord): Markup {
  const { context, language, project } = request
  const w = BOTS[language]
  const { link, title } = PERMISSION_WORDS[language]
  const base = `/dashboard/projects/${project.id}/bots/${bot.id}`
  const all = context.fleet.guildsOf(bot.id)
  const isOnline = stateOf(request, bot) === 'connected'
  const rows = all.map(
    ({ id, name, members }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${copyId(language, 'server', id)}</td>
        <td>${number(language, members)}</td>
        <td><a href="${base}/guilds/${id}" aria-label="${title({ guild: name })}">${link}</a></td>
      </tr>`,
  )
  return html`<section>
    <h2>${w.guildsTitle}</h2>
    ${
      rows.length > 0
        ? html`${table(
            w.guildsTitle,
            [
              ['Name', 'name'],
              [w.id, 'id'],
              [w.members, 'number'],
              [link, 'actions'],
            ],
            rows,
          )}
          ${commandLine(request, `/v1/music/guilds/${all[0]?.id}/player`)}`
        : html`<p class="lead">${isOnline ? w.guildsEmpty : w.guildsAway}</p>`
    }
  </section>`
}

async function keys(request: ProjectRequest, bot: BotRecord): Promise<Markup> {
  const w = BOTS[request.language]
  const { project } = request
  const base = `/dashboard/projects/${project.id}/keys`
  const linked = (await activeKeys(request)).filter(({ botId }) => botId === bot.id)
  return html`<section>
    <h2>${w.keysTitle}</h2>
    ${
      linked.length === 0
        ? html`<p class="lead">${w.keysNone}</p>`
        : html`<ul class="lines">
            ${linked.map(
              (key) =>
                html`<li>
                  <a href="${base}/${key.id}">${keyLabel(key)}</a>
                  ${copyPrefix(request.language, key.prefix)}
                </li>`,
            )}
          </ul>`
    }
    ${isAtLeast(project.role, 'manager') && html`<p>${linkButton(`${base}/new?bot=${bot.id}`, w.newKey, { icon: 'plus' })}</p>`}
  </section>`
}
