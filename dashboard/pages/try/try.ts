import type { Call } from '../../../api/docs/code-samples.ts'
import { html, prose, type Markup } from '../../../api/docs/html.ts'
import { breakable } from '../../../api/docs/operation.ts'
import { Fault } from '../../../lib/errors.ts'
import { form, page, redirect, type Outcome, type Page, type Route } from '../../http/route.ts'
import { copyable, head } from '../../ui/components.ts'
import type { AccountRequest, ProjectRequest } from '../../http/page-request.ts'
import { inputsOf } from './inputs.ts'
import { keyPanel, mint } from './key.ts'
import { routeList } from './list.ts'
import { commandLine } from './values.ts'
import { TRY } from './words.ts'

const PATH = '/dashboard/projects/:projectId/try'

export const TRY_PAGES: readonly Route[] = [
  page('viewer', PATH, listPage),
  form('manager', `${PATH}/key`, mint),
  page('viewer', `${PATH}/:operationId`, callPage),
  // Where the public reference leads to, which knows of no project.
  page('account', '/dashboard/try/:operationId', chooseProject),
]

async function listPage(request: ProjectRequest): Promise<Page> {
  const w = TRY[request.language]
  const calls = await request.context.calls()
  return {
    kind: 'page',
    title: w.title,
    scripts: ['try.js'],
    body: html`${head(w.title, { lead: w.lead })} ${keyPanel(request, '')}
      <section>
        <h2>${w.routes}</h2>
        ${routeList(request, calls, null)}
      </section>
      ${history(request)}`,
  }
}

async function callPage(request: ProjectRequest): Promise<Page> {
  const { language, project, params } = request
  const w = TRY[language]
  const calls = await request.context.calls()
  const call = calls.find(({ id }) => id === params['operationId'])
  if (!call) throw new Fault('not_found', 'Route not found.')
  return {
    kind: 'page',
    title: `${w.title}: ${call.method} ${call.path}`,
    scripts: ['try.js'],
    showsFetched: true,
    body: html`<div class="try">
      ${routeList(request, calls, call)}
      <div class="try-call">
        ${head(html`<span lang="en">${call.summary}</span>`, { back: { to: `/dashboard/projects/${project.id}/try`, label: w.title } })}
        <p class="route">
          <span class="verb ${call.method}">${call.method}</span> <code>${breakable(call.path)}</code>
        </p>
        <div class="about" lang="en">${prose(call.description)}</div>
        <p><a href="/docs#${call.id}">${w.reference}</a></p>
        ${call.needsKey ? keyPanel(request, call.id) : html`<p class="lead">${w.needsNoKey}</p>`}
        ${callForm(request, call)} ${answer(request)} ${history(request)}
      </div>
    </div>`,
  }
}

/** A form that only fills in the command line: the call itself is the script's, and no key is in it. */
function callForm(request: ProjectRequest, call: Call): Markup {
  const { language, project, context } = request
  const w = TRY[language]
  const { method, path, needsKey, isSocket, inputs, body, answers } = call
  const facts = {
    id: call.id,
    method,
    path,
    needsKey,
    isSocket,
    answers,
    body: body?.kind ?? null,
    baseUrl: context.baseUrl(),
    kinds: Object.fromEntries(inputs.map(({ place, name, kind }) => [`${place}.${name}`, kind])),
  }
  return html`<form
    class="form wide call"
    action="/dashboard/projects/${project.id}/try/${call.id}"
    data-call="${JSON.stringify(facts)}"
    novalidate
  >
    ${inputsOf(request, call)}
    <p class="problem" role="alert" data-problem hidden></p>
    <div class="buttons">
      <button class="button primary" data-send hidden>${isSocket ? w.connect : w.send}</button>
      <button type="button" class="button" data-stop hidden>${w.stop}</button>
      <button class="button" data-plain>${w.fill}</button>
    </div>
    <div class="line" data-line>
      ${copyable(language, w.curl, commandLine(request, call))}
      ${needsKey && html`<button type="button" class="button small" data-copy-key hidden>${w.copyWithKey}</button>`}
    </div>
  </form>`
}

/** What the script fills in; its words come with it. */
function answer({ language }: ProjectRequest): Markup {
  const w = TRY[language]
  return html`<section class="answer" data-answer data-words="${JSON.stringify(scriptWords(language))}" hidden>
    <h2>${w.answer}</h2>
    <p class="answer-state" role="status" data-state></p>
    <details data-headers hidden>
      <summary>${w.headers}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="${w.headers}">
        <table>
          <thead>
            <tr>
              <th scope="col">${w.header}</th>
              <th scope="col">${w.value}</th>
            </tr>
          </thead>
          <tbody></tbody>
        </table>
      </div>
    </details>
    <div data-body></div>
  </section>`
}

function scriptWords(language: ProjectRequest['language']) {
  const { waiting, download, copy, copied, empty, cut, listening, closed, failed } = TRY[language]
  const { stopped, noKey, badJson, answer: answered, meanings } = TRY[language]
  const all = { waiting, download, copy, copied, empty, cut, listening, closed, failed, stopped, noKey, badJson }
  return { ...all, answer: answered, meanings }
}

function history({ language, project }: ProjectRequest): Markup {
  const w = TRY[language]
  return html`<section data-history="/dashboard/projects/${project.id}/try" hidden>
    <div class="queue-head">
      <h2>${w.history}</h2>
      <button type="button" class="button small quiet" data-clear>${w.clear}</button>
    </div>
    <p class="hint">${w.historyLead}</p>
    <ol class="calls"></ol>
  </section>`
}

function chooseProject({ context, account, params, language }: AccountRequest): Outcome {
  const w = TRY[language]
  const projects = context.memberships.projectsOf(account.id)
  const to = (id: string) => `/dashboard/projects/${id}/try/${params['operationId']}`
  const [only, ...others] = projects
  if (only && others.length === 0) return redirect(to(only.id))
  if (!only) return redirect('/dashboard/projects')
  return {
    kind: 'page',
    title: w.choose,
    body: html`${head(w.choose, { lead: w.chooseLead })}
      <ul class="cards">
        ${projects.map(
          ({ id, name, plan }) =>
            html`<li>
              <a class="card" href="${to(id)}"
                ><h2>${name}</h2>
                <small>${plan}</small></a
              >
            </li>`,
        )}
      </ul>`,
  }
}
