import { button, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { showProblem } from '../core/problem.js'
import { words } from '../core/words.js'
import { askBot, choiceMeant, findChoices, isChosen, TYPE } from './choices.js'
import { pack } from './files.js'
import { makeCombobox } from './listbox.js'

const ASK_AFTER_MS = 150

/**
 * A slash command that is being filled in: one input for each option that is shown.
 * @param host `listbox`, `submit()`, `leave()`.
 */
export function createCommandLine(command, given, host) {
  const line = { command, host, pills: [], adding: make('span', { className: 'adding' }), asked: 0, timer: null }
  const tail = makeCombobox(
    make('input', { className: 'tail', autocomplete: 'off', enterKeyHint: 'send' }),
    words().commands,
  )
  const name = make('span', { className: 'command-name' }, `/${command.shown}`)
  const element = make('div', { className: 'command-line' }, name, tail, line.adding)
  Object.assign(line, { element, tail, name })
  tail.addEventListener('keydown', (event) => onTailKey(line, event))
  tail.addEventListener('input', () => showRest(line))
  tail.addEventListener('focus', () => host.listbox.hide())
  for (const option of command.options) {
    if (option.required || given[option.name] !== undefined) addPill(line, option, given[option.name])
  }
  drawAdding(line)
  return {
    element,
    command,
    focus: () => (firstEmpty(line) ?? line.pills.at(-1)?.input ?? tail).focus(),
    focusEnd: () => (line.pills.at(-1)?.input ?? tail).focus(),
    read: () => read(line),
    pick: (value) => pick(line, value),
  }
}

const firstEmpty = ({ pills }) => pills.find(({ input }) => input.value === '')?.input

function addPill(line, option, text) {
  const { shown, description, type } = option
  const isFile = type === TYPE.file
  const input = make('input', {
    type: isFile ? 'file' : 'text',
    autocomplete: 'off',
    spellcheck: false,
    enterKeyHint: 'send',
    inputmode: option.autocomplete
      ? undefined
      : type === TYPE.whole
        ? 'numeric'
        : type === TYPE.number
          ? 'decimal'
          : undefined,
  })
  const pill = { option, input, chosen: null }
  const note = option.required ? words().required : words().optional
  if (isFile) input.setAttribute('aria-label', `${shown}: ${description}`)
  else makeCombobox(input, `${shown}: ${description} (${note})`)
  pill.element = make(
    'label',
    { className: 'pill', title: description },
    make('span', { className: 'pill-name' }, shown),
    input,
  )
  if (!isFile) {
    if (text !== undefined) setText(pill, String(text))
    input.addEventListener('input', () => onType(line, pill))
    input.addEventListener('focus', () => onFocus(line, pill))
    input.addEventListener('keydown', (event) => onPillKey(line, pill, event))
  }
  line.pills.push(pill)
  line.tail.before(pill.element)
  return pill
}

function setText(pill, text) {
  const meant = isChosen(pill.option) ? choiceMeant(pill.option, text) : null
  pill.chosen = meant ?? null
  pill.input.value = meant?.label ?? text
  fit(pill)
}

/** Fits the width to the text. */
function fit({ input }) {
  input.size = Math.min(40, Math.max(6, input.value.length + 1))
}

function drawAdding(line) {
  const rest = missing(line)
  line.adding.replaceChildren(
    ...rest.slice(0, 4).map((option) =>
      button({
        className: 'add-option',
        label: words().addOption({ name: option.shown }),
        picture: icon('plus'),
        text: option.shown,
        title: option.description,
        press: () => addAndFocus(line, option),
      }),
    ),
  )
}

const missing = ({ command, pills }) => command.options.filter((one) => !pills.some(({ option }) => option === one))

function addAndFocus(line, option) {
  const pill = addPill(line, option)
  drawAdding(line)
  line.tail.value = ''
  pill.input.focus()
}

function showRest(line) {
  const { host, tail } = line
  const wanted = tail.value.toLowerCase()
  const items = missing(line)
    .filter(({ shown }) => shown.toLowerCase().includes(wanted))
    .map((option) => ({ title: option.shown, detail: option.description, value: { option } }))
  host.listbox.show(tail, { label: words().commands, items, selected: wanted === '' ? -1 : 0 })
}

function onTailKey(line, event) {
  const { host, tail } = line
  const { listbox } = host
  if (event.key === 'Backspace' && tail.value === '') {
    event.preventDefault()
    removeLast(line)
  } else if (!onListKey(line, event) && event.key === 'Enter') host.submit()
  else if (event.key === 'ArrowDown' && !listbox.isOpen) showRest(line)
}

/** An optional option goes; without any the command does. */
function removeLast(line) {
  const last = line.pills.at(-1)
  if (!last || last.option.required) return line.host.leave()
  line.pills.pop()
  last.element.remove()
  drawAdding(line)
  const before = line.pills.at(-1)
  return (before?.input ?? line.tail).focus()
}

function onPillKey(line, pill, event) {
  if (event.key === 'Backspace' && pill.input.value === '') {
    event.preventDefault()
    if (pill === line.pills[0]) line.host.leave()
    else line.pills[line.pills.indexOf(pill) - 1].input.focus()
    return
  }
  if (onListKey(line, event) || event.key !== 'Enter') return
  event.preventDefault()
  line.host.submit()
}

/** Keys that the list takes, if it is open. @returns whether it did. */
function onListKey(line, event) {
  const { host } = line
  const { listbox } = host
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') {
    event.preventDefault()
    event.stopPropagation()
    if (listbox.isOpen) listbox.hide()
    else host.leave()
    return true
  }
  if (!listbox.isOpen) return false
  if (step) {
    event.preventDefault()
    listbox.step(step)
    return true
  }
  const item = listbox.activeItem
  if ((event.key !== 'Enter' && event.key !== 'Tab') || !item) return false
  if (event.key === 'Enter') event.preventDefault()
  pick(line, item.value)
  return event.key === 'Enter'
}

function pick(line, { option, pill, choice }) {
  const { host } = line
  host.listbox.hide()
  if (option) return addAndFocus(line, option)
  pill.chosen = choice
  pill.input.value = choice.label
  pill.element.classList.remove('wrong')
  fit(pill)
  pill.input.focus()
  host.listbox.hide()
}

function onFocus(line, pill) {
  line.host.listbox.hide()
  if (isChosen(pill.option)) showChoices(line, pill, pill.chosen ? '' : pill.input.value)
  else if (pill.option.autocomplete && pill.input.value === '') askSoon(line, pill)
}

function onType(line, pill) {
  pill.chosen = null
  showProblem('')
  pill.element.classList.remove('wrong')
  fit(pill)
  if (isChosen(pill.option)) showChoices(line, pill, pill.input.value)
  else if (pill.option.autocomplete) askSoon(line, pill)
}

function showChoices(line, pill, text) {
  const items = findChoices(pill.option, text).map((choice) => ({ title: choice.label, value: { pill, choice } }))
  const label = words().choices({ option: pill.option.shown })
  line.host.listbox.show(pill.input, {
    label,
    items,
    note: items.length === 0 ? words().noChoices : pill.option.description,
    selected: text === '' ? -1 : 0,
  })
}

/** Once the typing rests; an answer that was overtaken by a later question is dropped. */
function askSoon(line, pill) {
  clearTimeout(line.timer)
  line.timer = setTimeout(() => void ask(line, pill), ASK_AFTER_MS)
}

async function ask(line, pill) {
  const { host, command } = line
  line.asked += 1
  const question = line.asked
  const isCurrent = () => question === line.asked && document.activeElement === pill.input
  const label = words().choices({ option: pill.option.shown })
  try {
    const options = { ...readGiven(line), [pill.option.name]: pill.input.value }
    const found = await askBot(command, options, pill.option.name)
    if (!isCurrent()) return
    const items = found.map((choice) => ({ title: choice.label, value: { pill, choice } }))
    host.listbox.show(pill.input, { label, items, note: pill.option.description })
  } catch {
    // A bot that has no answer to that in time offers nothing; the text can be sent as it is.
    if (isCurrent()) host.listbox.hide()
  }
}

/** The values as far as they are whole. */
function readGiven({ pills }) {
  const values = {}
  for (const pill of pills) {
    const value = valueOf(pill)
    if (value !== undefined && value !== '' && pill.option.type !== TYPE.file) values[pill.option.name] = value
  }
  return values
}

function valueOf({ option, input, chosen }) {
  const text = input.value.trim()
  if (chosen) return chosen.value
  if (text === '') return undefined
  if (isChosen(option)) return choiceMeant(option, text)?.value ?? text
  if (option.type === TYPE.whole || option.type === TYPE.number) return Number.isNaN(Number(text)) ? text : Number(text)
  return text
}

/** @throws {Error} if a required option is missing, which then has the focus. */
async function read(line) {
  for (const pill of line.pills) {
    const isEmpty = pill.option.type === TYPE.file ? pill.input.files.length === 0 : valueOf(pill) === undefined
    if (!isEmpty || !pill.option.required) continue
    pill.element.classList.add('wrong')
    pill.input.focus()
    throw new Error(words().missing({ name: pill.option.shown }))
  }
  const values = readGiven(line)
  for (const { option, input } of line.pills) {
    if (option.type === TYPE.file && input.files[0]) values[option.name] = await pack(input.files[0])
  }
  return values
}
