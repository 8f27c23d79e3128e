import { html, type Markup } from '../../../lib/html.ts'
import { EMPTY_DRAFT, type Draft } from '../http/form.ts'
import type { PageRequest } from '../http/page-request.ts'
import type { HtmlPage } from '../http/route.ts'
import { head, note } from './components.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

/** A form with our token. `draft` has the typed values and their problems. */
export function formTo(
  request: PageRequest,
  to: string,
  content: FormContent,
  { draft }: { draft?: Draft } = {},
): Markup {
  const problems = Object.keys(draft?.problems ?? {})
  const whole = draft?.problems['form']
  const complaint = problems.length > 0 && note('bad', whole ?? COMMON[request.language].problems)
  return postForm(request, to, 'form', html`${complaint} ${content}`)
}

interface FormPageOptions {
  readonly lead?: string | undefined
  /** Leads back, as the button beside that of the form does. */
  readonly back: { readonly to: string; readonly label: string }
  readonly to: string
  readonly button: string
  readonly isDangerous?: boolean
  /** The label of the other button. Defaults to that for "cancel". */
  readonly cancel?: string
  readonly draft?: Draft
  /** Between the head and the form. */
  readonly before?: Markup | false
}

/** A page with one form. A draft with problems answers 422. */
export function formPage(request: PageRequest, title: string, options: FormPageOptions, fields?: Markup): HtmlPage {
  const { lead = '', back, to, button, isDangerous = false, draft = EMPTY_DRAFT, before } = options
  const { cancel: label = COMMON[request.language].cancel } = options
  const content = [fields, buttons(button, { cancel: { value: back.to, label }, isDangerous })]
  const body = html`${head(title, { lead, back })} ${before} ${formTo(request, to, content, { draft })}`
  return { kind: 'page', title, status: draft === EMPTY_DRAFT ? 200 : 422, body }
}

/** A form that is a button among other things. */
export function inlineForm(request: PageRequest, to: string, content: FormContent): Markup {
  return postForm(request, to, 'inline', content)
}

type FormContent = Markup | readonly (Markup | false | null | undefined)[]

function postForm({ csrf }: PageRequest, to: string, className: string, content: FormContent): Markup {
  return html`<form method="post" action="${to}" class="${className}" novalidate>
    <input type="hidden" name="csrf" value="${csrf}" />
    ${content}
  </form>`
}

interface Common {
  readonly name: string
  readonly label: Markup | string
  readonly hint?: Markup | string | undefined
  readonly draft?: Draft
  readonly value?: string | undefined
}

interface FieldOptions extends Common {
  readonly type?: 'text' | 'password' | 'datetime-local' | 'number' | 'url' | 'search'
  readonly autocomplete?: string
  readonly isRequired?: boolean
  readonly inputMode?: 'numeric' | 'url'
  readonly placeholder?: string
  readonly maxLength?: number
  readonly hasFocus?: boolean
  /** The id of a list of proposals. */
  readonly list?: string | undefined
  /** Of a number. */
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | 'any'
}

/** One line of text with its label, its hint, and its problem. Passwords are never written back. */
export function field(options: FieldOptions): Markup {
  const { name, type = 'text', autocomplete = 'off', inputMode, placeholder, maxLength, isRequired, hasFocus } = options
  const value = type === 'password' ? '' : valueOf(options)
  return wrap(
    options,
    html`<input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      spellcheck="false"
      ${flag('required', isRequired)}
      ${flag('autofocus', hasFocus && !isRefused(options))}
      ${attribute('inputmode', inputMode)}
      ${attribute('placeholder', placeholder)}
      ${attribute('maxlength', maxLength)}
      ${attribute('list', options.list)}
      ${attribute('min', options.min)}
      ${attribute('max', options.max)}
      ${attribute('step', options.step)}
      ${described(options)}
    />`,
  )
}

/** A field to search by, whose words stand in it. */
export function searchField(name: string, label: string, value: string | undefined): Markup {
  return html`<input
    type="search"
    name="${name}"
    value="${value}"
    aria-label="${label}"
    placeholder="${label}"
    maxlength="128"
    autocomplete="off"
    spellcheck="false"
  />`
}

export function textArea(options: Common & { readonly rows?: number; readonly placeholder?: string }): Markup {
  const { name, rows = 3, placeholder } = options
  return wrap(
    options,
    html`<textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      spellcheck="false"
      ${attribute('placeholder', placeholder)}
      ${described(options)}
    >
${valueOf(options)}</textarea>`,
  )
}

export interface FormChoice {
  readonly value: string
  readonly label: string
}

export function select(options: Common & { readonly choices: readonly FormChoice[] }): Markup {
  const chosen = valueOf(options)
  const { name, choices } = options
  return wrap(
    options,
    html`<select id="${name}" name="${name}" ${described(options)}>
      ${choices.map(
        ({ value, label }) => html`<option value="${value}" ${flag('selected', value === chosen)}>${label}</option>`,
      )}
    </select>`,
  )
}

export interface Option extends FormChoice {
  readonly hint?: string | Markup
}

/** Boxes to tick, or with `kind: 'radio'` one of several. */
export function choices(
  options: Common & {
    readonly kind: 'checkbox' | 'radio'
    readonly options: readonly Option[]
    readonly chosen: readonly string[]
  },
): Markup {
  const { name, label, hint, draft, kind } = options
  const problem = draft?.problems[name]
  const chosen = draft && name in draft.values ? (draft.values[name] ?? '').split('\n') : options.chosen
  return html`<fieldset class="choices ${problem && 'wrong'}">
    <legend>${label}</legend>
    ${hint && html`<p class="hint">${hint}</p>`}
    ${options.options.map(
      (option) =>
        html`<label class="choice">
          <input
            type="${kind}"
            name="${name}"
            value="${option.value}"
            ${flag('checked', chosen.includes(option.value))}
          />
          <span>${option.label}${option.hint && html`<small>${option.hint}</small>`}</span>
        </label>`,
    )}
    ${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
  </fieldset>`
}

/** The buttons at the end of a form. */
export function buttons(
  label: string,
  options: { readonly cancel?: FormChoice; readonly isDangerous?: boolean } = {},
): Markup {
  const { cancel, isDangerous } = options
  return html`<div class="buttons">
    <button class="button ${isDangerous ? 'danger' : 'primary'}">${label}</button>
    ${cancel && html`<a class="button plain" href="${cancel.value}">${cancel.label}</a>`}
  </div>`
}

function valueOf({ name, draft, value = '' }: Common): string {
  return draft?.values[name] ?? value
}

function wrap({ name, label, hint, draft }: Common, control: Markup): Markup {
  const problem = draft?.problems[name]
  return html`<div class="field ${problem && 'wrong'}">
    <label for="${name}">${label}</label>
    ${control} ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
  </div>`
}

function described({ name, hint, draft }: Common): Markup | false {
  const problem = draft?.problems[name]
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`${ids !== '' && attribute('aria-describedby', ids)} ${problem && attribute('aria-invalid', 'true')}
  ${flag('autofocus', isFirstProblem(name, draft))}`
}

function isRefused({ draft }: Common): boolean {
  return Object.keys(draft?.problems ?? {}).length > 0
}

/** The focus goes to the first field that is wrong. */
function isFirstProblem(name: string, draft: Draft | undefined): boolean {
  return Object.keys(draft?.problems ?? {}).find((it) => it !== 'form') === name
}

/** Names of attributes are ours, never a caller's. */
function attribute(name: string, value: string | number | undefined): Markup | false {
  return value !== undefined && html`${{ markup: name }}="${String(value)}"`
}

function flag(name: string, isSet: boolean | undefined): Markup | false {
  return isSet === true && { markup: name }
}
