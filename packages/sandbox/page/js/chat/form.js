import { call, guildPath } from '../core/api.js'
import { button, find, make } from '../core/dom.js'
import { words } from '../core/words.js'
import { mark } from './markdown.js'
import { choicesOf } from './select-menu.js'

const PARAGRAPH = 2

/** Opens the form that a bot answered with, if it did. What was not sent is forgotten, as in Discord. */
export function openForm({ modal, interactionId }) {
  if (!modal) return
  const inputs = []
  const fields = modal.components.flatMap((part) => drawPart(part, inputs))
  const problem = make('p', { className: 'problem', role: 'alert' })
  const form = make(
    'form',
    { method: 'dialog' },
    make('h2', { id: 'form-title' }, modal.title),
    fields,
    problem,
    make(
      'div',
      { className: 'row end' },
      button({ className: 'component secondary', text: words().cancel, press: () => find('form').close() }),
      make('button', { type: 'submit', className: 'component primary' }, words().submit),
    ),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const values = Object.fromEntries(inputs.map(({ id, read }) => [id, read()]))
    problem.textContent = ''
    form.setAttribute('aria-busy', 'true')
    try {
      const answer = await call('POST', guildPath('/interactions/modal'), { interactionId, fields: values })
      find('form').close()
      openForm(answer)
    } catch (error) {
      problem.textContent = error.message
    }
    form.removeAttribute('aria-busy')
  })
  find('form').replaceChildren(form)
  if (!find('form').open) find('form').showModal()
  form.querySelector('input, textarea, select')?.focus()
}

/** A row, a label with its part, a text, an input or a menu. */
function drawPart(part, inputs, label = null) {
  const { type, components, component, content } = part
  if (components) return components.flatMap((one) => drawPart(one, inputs))
  if (component) return drawPart(component, inputs, part)
  if (type === 10) return [make('div', { className: 'text' }, mark(content))]
  if (type === 4) return [labelled(part, label, textInput(part, inputs))]
  if ([3, 5, 6, 7, 8].includes(type)) return [labelled(part, label, menu(part, inputs))]
  return []
}

function labelled(part, label, input) {
  const text = label?.label ?? part.label ?? part.placeholder ?? part.custom_id
  const note = part.required === false ? words().optional : words().required
  return make(
    'label',
    { className: 'field' },
    make('span', { className: 'strong' }, text, ' ', make('span', { className: 'quiet tiny' }, note)),
    label?.description ? make('span', { className: 'quiet tiny' }, label.description) : null,
    input,
  )
}

function textInput({ custom_id: id, style, required = true, min_length, max_length, placeholder, value }, inputs) {
  const input = make(style === PARAGRAPH ? 'textarea' : 'input', {
    name: id,
    required,
    value: value ?? '',
    autocomplete: 'off',
  })
  if (max_length) input.maxLength = max_length
  if (min_length) input.minLength = min_length
  if (placeholder) input.placeholder = placeholder
  inputs.push({ id, read: () => input.value })
  return input
}

function menu(part, inputs) {
  const { custom_id: id, required = true, max_values: most = 1, min_values: least = 1 } = part
  const options = choicesOf(part).map(({ value, label, default: selected = false }) =>
    make('option', { value, selected }, label),
  )
  const none = most === 1 && (!required || least === 0) ? [make('option', { value: '' }, '–')] : []
  const select = make('select', { name: id, required, multiple: most > 1 }, none, options)
  inputs.push({ id, read: () => [...select.selectedOptions].map(({ value }) => value).filter((value) => value !== '') })
  return select
}
