import type { Call, Input } from '../../../api/docs/code-samples.ts'
import { html, inline, type Markup } from '../../../api/docs/html.ts'
import { field, select, textArea } from '../../ui/forms.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { fieldName, guildsOf, jsonOf, valueOf } from './values.ts'
import { TRY } from './words.ts'

/** The form of one route. Sent without script it comes back with the command line filled in. */
export function inputsOf(request: ProjectRequest, call: Call): Markup {
  const w = TRY[request.language]
  const parameters = call.inputs.filter(({ place }) => place !== 'body')
  return html`${
    parameters.length > 0 &&
    html`<fieldset>
      <legend>${w.parameters}</legend>
      ${parameters.map((input) => control(request, input))}
    </fieldset>`
  }
  ${call.body?.kind === 'json' && jsonBody(request, call)} ${call.body?.kind === 'file' && fileBody(request)}
  ${call.answers.length > 1 && answerAs(request, call)} ${proposals(request)}`
}

function jsonBody(request: ProjectRequest, call: Call): Markup {
  const w = TRY[request.language]
  const fields = call.inputs.filter(({ place }) => place === 'body')
  const isJson = request.query.get('as') === 'json'
  return html`<fieldset>
    <legend>${w.body}</legend>
    <div class="ways" role="radiogroup" aria-label="${w.as}">
      ${radio('form', w.asForm, !isJson)} ${radio('json', w.asJson, isJson)}
    </div>
    <div class="fields" data-as="form">${fields.map((input) => control(request, input))}</div>
    <div data-as="json">${textArea({ name: 'json', label: w.json, value: jsonOf(request, call), rows: 8 })}</div>
  </fieldset>`
}

function radio(value: string, label: string, isChosen: boolean): Markup {
  return html`<label class="choice"
    ><input type="radio" name="as" value="${value}" ${isChosen && { markup: 'checked' }} /><span>${label}</span></label
  >`
}

function fileBody({ language }: ProjectRequest): Markup {
  const w = TRY[language]
  return html`<fieldset>
    <legend>${w.body}</legend>
    <div class="field">
      <label for="file">${w.file}</label>
      <input id="file" type="file" aria-describedby="file-hint" />
      <p class="hint" id="file-hint">${w.fileHint}</p>
    </div>
  </fieldset>`
}

function answerAs({ language, query }: ProjectRequest, { answers }: Call): Markup {
  const choices = answers.map((type) => ({ value: type, label: type }))
  return select({ name: 'accept', label: TRY[language].answerAs, choices, value: query.get('accept') ?? answers[0] })
}

function control(request: ProjectRequest, input: Input): Markup {
  const w = TRY[request.language]
  const { kind, name, isRequired, description, bounds, choices, isWhole, minimum, maximum } = input
  const common = {
    name: fieldName(input),
    label: html`<code>${name}</code>${isRequired && html` <small>${w.required}</small>`}`,
    hint: description === '' && bounds === '' ? undefined : html`<span lang="en">${hint(description, bounds)}</span>`,
    value: valueOf(request, input),
  }
  if (kind === 'boolean' || kind === 'choice') {
    const values = kind === 'boolean' ? ['true', 'false'] : choices
    const options = values.map((value) => ({ value, label: value }))
    return select({ ...common, choices: isRequired ? options : [{ value: '', label: w.notSent }, ...options] })
  }
  if (kind === 'json' || kind === 'long') return textArea({ ...common, rows: 3 })
  const range = { min: minimum ?? undefined, max: maximum ?? undefined, step: isWhole ? 1 : ('any' as const) }
  const list = name === 'guildId' || name === 'channelId' ? `${name}s` : undefined
  return field({ ...common, isRequired, list, ...(kind === 'number' && { type: 'number', ...range }) })
}

function hint(description: string, bounds: string): Markup {
  const isSentence = description === '' || description.endsWith('.')
  const more = bounds === '' ? '' : `${bounds.slice(0, 1).toUpperCase()}${bounds.slice(1)}.`
  return inline([description + (isSentence ? '' : '.'), more].filter((part) => part !== '').join(' '))
}

/** The guilds and voice channels of the project's own bots. */
function proposals(request: ProjectRequest): Markup {
  const guilds = guildsOf(request)
  const channels = guilds.flatMap((guild) =>
    guild.channels.map(({ id, name }) => ({ id, name: `${guild.name}: ${name}` })),
  )
  return html`${list('guildIds', guilds)} ${list('channelIds', channels)}`
}

function list(id: string, all: readonly { readonly id: string; readonly name: string }[]): Markup {
  return html`<datalist id="${id}">${all.map((one) => html`<option value="${one.id}">${one.name}</option>`)}</datalist>`
}
