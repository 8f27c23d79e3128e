import type { DocumentedCall, CallInput } from '../calls.ts'
import { html, inline, type Markup } from '../../../lib/html.ts'
import { fieldName, jsonOf, valueOf, type Filled } from './filled.ts'
import { DOCS_PATH, type Outline } from './layout.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { REFERENCE } from './words.ts'

interface Place {
  readonly outline: Outline
  readonly filled: Filled
  readonly language: PageLanguage
}

/**
 * The form that calls a route. The form itself only fills in the snippets, and works without script; the script makes
 * the call, straight from the browser, and no key is ever in a field that a form sends.
 */
export function tryForm(call: DocumentedCall, place: Place): Markup {
  const { outline, language } = place
  const w = REFERENCE[language]
  const { id, method, path, needsKey, isSocket, answers, body, inputs } = call
  const kinds = Object.fromEntries(inputs.map((input) => [fieldName(input), input.kind]))
  const facts = { id, method, path, needsKey, isSocket, answers, body: body?.kind ?? null, kinds }
  return html`<section class="try" id="try" aria-labelledby="try-title">
    <h2 id="try-title">${w.tryIt}</h2>
    <p class="lead">${w.tryLead}</p>
    <noscript><p class="note">${w.noScript}</p></noscript>
    ${needsKey ? keyPanel(outline.hasDashboard, language) : html`<p>${w.needsNoKey}</p>`}
    <form action="${DOCS_PATH}/${id}#try" data-call="${JSON.stringify(facts)}" novalidate>
      ${fields(call, place)}
      <p class="problem" role="alert" data-problem hidden></p>
      <div class="buttons">
        <button class="primary needs-script" data-send>${isSocket ? w.connect : w.send}</button>
        <button type="button" data-stop hidden>${w.stop}</button>
        <button class="no-script">${w.fill}</button>
      </div>
    </form>
    ${answer(language)}
  </section>`
}

function fields(call: DocumentedCall, place: Place): Markup {
  const { filled, language } = place
  const w = REFERENCE[language]
  const parameters = call.inputs.filter((input) => input.place !== 'body')
  return html`${
      parameters.length > 0 &&
      html`<fieldset>
        <legend>${w.parameters}</legend>
        <div class="controls">${parameters.map((input) => control(input, place))}</div>
      </fieldset>`
    }
    ${call.body?.kind === 'json' && jsonBody(call, place)}
    ${
      call.body?.kind === 'file' &&
      html`<fieldset>
        <legend>${w.body}</legend>
        <div class="field"><label for="file">${w.file}</label><input id="file" type="file" /></div>
      </fieldset>`
    }
    ${
      call.answers.length > 1 &&
      html`<div class="field">
        <label for="accept">${w.answerAs}</label>
        <select id="accept" name="accept">
          ${call.answers.map((type) => option(type, type, filled.get('accept') === type))}
        </select>
      </div>`
    }
    <datalist id="guildIds"></datalist>
    <datalist id="channelIds"></datalist>`
}

function jsonBody(call: DocumentedCall, place: Place): Markup {
  const w = REFERENCE[place.language]
  const isJson = place.filled.get('as') === 'json'
  return html`<fieldset>
    <legend>${w.body}</legend>
    <div class="ways" role="radiogroup" aria-label="${w.as}">
      ${radio('form', w.asForm, !isJson)} ${radio('json', w.asJson, isJson)}
    </div>
    <div class="controls" data-as="form">
      ${call.inputs.filter((input) => input.place === 'body').map((input) => control(input, place))}
    </div>
    <div class="field" data-as="json">
      <label for="json">${w.json}</label>
      <textarea id="json" name="json" rows="8" spellcheck="false">${jsonOf(place.filled, call)}</textarea>
    </div>
  </fieldset>`
}

function radio(value: string, label: string, isChosen: boolean): Markup {
  return html`<label
    ><input type="radio" name="as" value="${value}" ${isChosen && { markup: 'checked' }} /> <span>${label}</span></label
  >`
}

function control(input: CallInput, { filled, language }: Place): Markup {
  const w = REFERENCE[language]
  const name = fieldName(input)
  const value = valueOf(filled, input)
  const hint = [input.description, input.bounds].filter((part) => part !== '').join(' · ')
  return html`<div class="field">
    <label for="${name}"
      ><code>${input.name}</code>${input.isRequired && html` <span class="required">${w.required}</span>`}</label
    >
    ${widget(input, { name, value, notSent: w.notSent, hasHint: hint !== '' })}
    ${hint !== '' && html`<p class="hint" id="${name}-hint" lang="en">${inline(hint)}</p>`}
  </div>`
}

interface Widget {
  readonly name: string
  readonly value: string
  readonly notSent: string
  readonly hasHint: boolean
}

function widget(input: CallInput, { name, value, notSent, hasHint }: Widget): Markup {
  const { kind, isRequired, isWhole, minimum, maximum } = input
  const described = hasHint && { markup: `aria-describedby="${name}-hint"` }
  if (kind === 'boolean' || kind === 'choice') {
    const values = kind === 'boolean' ? ['true', 'false'] : input.choices
    return html`<select id="${name}" name="${name}" ${described}>
      ${!isRequired && option('', notSent, value === '')} ${values.map((one) => option(one, one, one === value))}
    </select>`
  }
  if (kind === 'json' || kind === 'long') {
    return html`<textarea id="${name}" name="${name}" rows="3" spellcheck="false" ${described}>${value}</textarea>`
  }
  const list = ['guildId', 'channelId'].includes(input.name) && { markup: `list="${input.name}s"` }
  if (kind === 'text') {
    return html`<input id="${name}" name="${name}" value="${value}" autocomplete="off" ${list} ${described} />`
  }
  const range = [
    minimum !== null && `min="${minimum}"`,
    maximum !== null && `max="${maximum}"`,
    `step="${isWhole ? 1 : 'any'}"`,
  ]
  const bounds = { markup: range.filter((part) => part !== false).join(' ') }
  return html`<input id="${name}" name="${name}" type="number" value="${value}" ${bounds} ${described} />`
}

function option(value: string, label: string, isChosen: boolean): Markup {
  return html`<option value="${value}" ${isChosen && { markup: 'selected' }}>${label}</option>`
}

/** The pasted key stays in the browser: the field has no name and belongs to no form. */
function keyPanel(hasDashboard: boolean, language: PageLanguage): Markup {
  const w = REFERENCE[language]
  return html`<div class="key needs-script" data-key data-dashboard="${hasDashboard ? 'yes' : ''}">
    <h3>${w.key}</h3>
    <p class="hint">${w.keyLead}</p>
    <p class="key-now" data-key-now hidden>
      <span>${w.inUse} <code></code><span data-until="${w.until}"></span></span>
      <button type="button" class="small">${w.forget}</button>
    </p>
    <div class="row" data-key-paste>
      <div class="field">
        <label for="key">${w.paste}</label>
        <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="svc.…" maxlength="100" />
        <p class="problem" id="key-problem" role="alert" hidden>${w.badKey}</p>
      </div>
      <button type="button">${w.use}</button>
    </div>
    ${
      hasDashboard &&
      html`<div class="row" data-mint data-full="${w.full}" hidden>
          <div class="field">
            <label for="mint-for">${w.mint}</label>
            <select id="mint-for" aria-describedby="mint-hint"></select>
            <p class="hint" id="mint-hint">${w.mintHint}</p>
            <p class="problem" role="alert" data-mint-problem hidden></p>
          </div>
          <button type="button">${w.mintButton}</button>
        </div>
        <p class="hint" data-sign-in hidden><a href="/dashboard/sign-in">${w.signIn}</a></p>`
    }
  </div>`
}

/** Placeholder for the answer, which the script fills in; its words come with it. */
function answer(language: PageLanguage): Markup {
  const w = REFERENCE[language]
  return html`<section class="answer" data-answer data-words="${JSON.stringify(scriptWords(language))}" hidden>
    <h3>${w.answer}</h3>
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

function scriptWords(language: PageLanguage): Readonly<Record<string, string>> {
  const { waiting, download, copy, copied, empty, cut, listening, closed, failed } = REFERENCE[language]
  const { stopped, noKey, badJson, answer: answered } = REFERENCE[language]
  const all = { waiting, download, copy, copied, empty, cut, listening, closed, failed, stopped, noKey, badJson }
  return { ...all, answer: answered }
}
