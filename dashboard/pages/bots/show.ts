import { html, type Markup } from '../../../api/docs/html.ts'
import type { BotState } from '../../../bot/discord/bot-status.ts'
import type { BotRecord } from '../../../db/projects/bots.ts'
import { keyState, type ApiKey } from '../../../db/projects/keys.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Page } from '../../http/route.ts'
import { formTo } from '../../ui/forms.ts'
import {
  ago,
  chip,
  doneNote,
  emptyState,
  head,
  linkButton,
  moment,
  note,
  number,
  table,
  type Tone,
} from '../../ui/components.ts'
import { isAtLeast, type ProjectVisit } from '../../http/page-request.ts'
import { inviteUrl } from './invite.ts'
import { BOTS } from './words.ts'

const TONES = {
  connected: 'good',
  connecting: 'warn',
  refused: 'bad',
  unreadable: 'bad',
  stopped: 'quiet',
} as const satisfies Record<BotState, Tone>

export function botOf({ desk, project, params }: ProjectVisit): BotRecord {
  const bot = desk.bots.list(project.id).find(({ id }) => id === params['botId'])
  if (!bot) throw new Fault('not_found', 'There is no such bot in this project.')
  return bot
}

export function listPage(visit: ProjectVisit): Page {
  const { desk, project, language } = visit
  const w = BOTS[language]
  const bots = desk.bots.list(project.id)
  const mayChange = isAtLeast(project.role, 'manager')
  const base = `/dashboard/projects/${project.id}/bots`
  const button = mayChange && linkButton(`${base}/new`, w.add, { kind: 'primary', icon: 'plus' })
  const rows = bots.map(
    (bot) =>
      html`<tr>
        <th scope="row">
          <a href="${base}/${bot.id}">${bot.name}</a>
          ${bot.sandbox && html`<small>${w.sandbox}</small>`}
        </th>
        <td>${stateChip(visit, bot)}</td>
        <td>${number(language, desk.fleet.guildsOf(bot.id).length)}</td>
        <td>${number(language, activeKeys(visit, bot).length)}</td>
        <td>${ago(visit, bot.createdAtMs)}</td>
      </tr>`,
  )
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: bots.length > 0 && button })} ${doneNote(visit, w.done)}
    ${
      bots.length === 0
        ? emptyState('bot', w.emptyTitle, mayChange ? w.emptyText : w.emptyViewer, button)
        : table(w.title, [w.name, w.state, w.guilds, w.keys, w.added], rows)
    }`,
  }
}

function stateOf({ desk }: ProjectVisit, bot: BotRecord): BotState {
  return bot.stopped ? 'stopped' : desk.fleet.stateOf(bot.id)
}

function stateChip(visit: ProjectVisit, bot: BotRecord): Markup {
  const state = stateOf(visit, bot)
  return chip(TONES[state], BOTS[visit.language].states[state])
}

/** What a person has to do before the bot can run. */
function troubleNote(visit: ProjectVisit, bot: BotRecord): Markup | false {
  const { refusedText, unreadableText } = BOTS[visit.language]
  const state = stateOf(visit, bot)
  if (state === 'unreadable') return note('bad', unreadableText)
  return state === 'refused' && note('bad', refusedText)
}

function activeKeys({ desk, project }: ProjectVisit, { id }: BotRecord): readonly ApiKey[] {
  const nowMs = desk.now()
  return desk.keys.list(project.id).filter((key) => key.botId === id && keyState(key, nowMs) === 'active')
}

export function botPage(visit: ProjectVisit): Page {
  const { project, language } = visit
  const w = BOTS[language]
  const bot = botOf(visit)
  const base = `/dashboard/projects/${project.id}/bots`
  const mayChange = isAtLeast(project.role, 'manager')
  return {
    kind: 'page',
    title: bot.name,
    body: html`${head(bot.name, { back: { to: base, label: w.title }, action: mayChange && actions(visit, bot) })}
      ${doneNote(visit, w.done)} ${troubleNote(visit, bot)}
      <dl class="facts">
        <dt>${w.state}</dt>
        <dd>${stateChip(visit, bot)} ${bot.sandbox && html`<small>${w.sandbox}</small>`}</dd>
        <dt>${w.added}</dt>
        <dd>${moment(visit, bot.createdAtMs)}</dd>
        <dt>${w.id}</dt>
        <dd><code>${bot.id}</code></dd>
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
      ${!bot.sandbox && listening(visit, bot)} ${guilds(visit, bot)} ${keys(visit, bot)}`,
  }
}

function actions(visit: ProjectVisit, bot: BotRecord): readonly Markup[] {
  const w = BOTS[visit.language]
  const to = `/dashboard/projects/${visit.project.id}/bots/${bot.id}`
  const start = html`<button class="button primary">${w.start}</button>`
  return [
    bot.stopped ? formTo(visit, `${to}/start`, start, { isInline: true }) : linkButton(`${to}/stop`, w.stop),
    linkButton(`${to}/remove`, w.remove),
  ]
}

/** In the sandbox there is nobody whose channel it could be. */
function listening(visit: ProjectVisit, bot: BotRecord): Markup {
  const { project, language } = visit
  const w = BOTS[language]
  const button = html`<button class="button" name="allowed" value="${bot.mayListen ? 'no' : 'yes'}">
    ${bot.mayListen ? w.listeningEnd : w.listeningAllow}
  </button>`
  return html`<section>
    <h2>${w.listening}</h2>
    <p class="lead">${bot.mayListen ? w.listeningOn : w.listeningOff}</p>
    ${
      project.role === 'owner'
        ? formTo(visit, `/dashboard/projects/${project.id}/bots/${bot.id}/listening`, button, { isInline: true })
        : html`<p class="hint">${w.listeningOwner}</p>`
    }
  </section>`
}

function guilds(visit: ProjectVisit, bot: BotRecord): Markup {
  const { desk, language } = visit
  const w = BOTS[language]
  const all = desk.fleet.guildsOf(bot.id)
  const isOnline = stateOf(visit, bot) === 'connected'
  const rows = all.map(
    ({ id, name, members }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td><code>${id}</code></td>
        <td>${number(language, members)}</td>
      </tr>`,
  )
  return html`<section>
    <h2>${w.guildsTitle}</h2>
    ${
      rows.length > 0
        ? table(w.guildsTitle, ['Name', w.id, w.members], rows)
        : html`<p class="lead">${isOnline ? w.guildsEmpty : w.guildsAway}</p>`
    }
  </section>`
}

function keys(visit: ProjectVisit, bot: BotRecord): Markup {
  const w = BOTS[visit.language]
  const { project } = visit
  const base = `/dashboard/projects/${project.id}/keys`
  const linked = activeKeys(visit, bot)
  return html`<section>
    <h2>${w.keysTitle}</h2>
    ${
      linked.length === 0
        ? html`<p class="lead">${w.keysNone}</p>`
        : html`<ul class="lines">
            ${linked.map(
              (key) =>
                html`<li>
                  <a href="${base}/${key.id}">${key.name ?? `svc.${key.prefix}…`}</a> <code>svc.${key.prefix}…</code>
                </li>`,
            )}
          </ul>`
    }
    ${isAtLeast(project.role, 'manager') && html`<p>${linkButton(`${base}/new?bot=${bot.id}`, w.newKey, { icon: 'plus' })}</p>`}
  </section>`
}
