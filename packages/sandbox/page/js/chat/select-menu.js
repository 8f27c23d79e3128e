import { button, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { openPopover } from '../core/menu.js'
import { channelChoices, roleChoices, userChoices } from '../core/targets.js'
import { words } from '../core/words.js'

const USER = 5
const ROLE = 6
const MENTIONABLE = 7
const CHANNEL = 8

/** Choices of a menu: its own options, or members, roles and channels of the guild. */
export function choicesOf({ type, options = [], channel_types: types }) {
  if (type === USER) return userChoices()
  if (type === ROLE) return roleChoices()
  if (type === MENTIONABLE) return [...userChoices(), ...roleChoices()]
  return type === CHANNEL ? channelChoices(types) : options
}

/**
 * A select menu of a message. One value is sent at once, several by a press.
 * @param send takes the values.
 */
export function drawSelect(part, send) {
  const { custom_id: id, placeholder, disabled = false, min_values: least = 1, max_values: most = 1 } = part
  const chosen = choicesOf(part).filter((one) => one.default)
  const text = chosen.length > 0 ? chosen.map(({ label }) => label).join(', ') : (placeholder ?? words().select)
  const press = ({ currentTarget }) => open(currentTarget, part, { least, most, send })
  const element = button({
    className: 'select',
    press,
    disabled,
    data: { key: id, custom: id },
    aria: { haspopup: 'listbox', expanded: false },
  })
  element.append(make('span', { className: 'grow' }, text), icon('chevron'))
  return element
}

function open(anchor, part, { least, most, send }) {
  const isOne = most === 1
  const choices = choicesOf(part)
  const picked = new Set(choices.filter((one) => one.default).map(({ value }) => value))
  const done = (values) => {
    list.hidePopover()
    send(values)
  }
  const submit = button({ className: 'primary', text: words().submit, press: () => done([...picked]) })
  const check = () => {
    submit.disabled = picked.size < least || picked.size > most
  }
  const toggle = ({ value }, row) => {
    if (isOne) return done([value])
    if (!picked.delete(value)) picked.add(value)
    row.setAttribute('aria-selected', String(picked.has(value)))
    check()
  }
  const rows = choices.map((choice) => drawChoice(choice, picked, toggle))
  const label = part.placeholder ?? words().select
  const box = make('div', { role: 'listbox', aria: { label, multiselectable: !isOne }, on: { keydown: onKey } }, rows)
  const list = make('div', { className: 'menu choices' }, box, isOne ? null : submit)
  check()
  openPopover(anchor, list)
  rows[0]?.focus()
}

function drawChoice(choice, picked, toggle) {
  const { label, description, emoji, value } = choice
  const row = make(
    'div',
    { role: 'option', tabIndex: -1, className: 'choice', aria: { selected: picked.has(value) }, data: { value } },
    make('span', {}, [emoji?.name, label].filter(Boolean).join(' ')),
    description ? make('span', { className: 'quiet tiny' }, description) : null,
  )
  row.addEventListener('click', () => toggle(choice, row))
  return row
}

function onKey(event) {
  const rows = [...event.currentTarget.children]
  const at = rows.indexOf(document.activeElement)
  if (event.key === 'Enter' || event.key === ' ') rows[at]?.click()
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined && event.key !== 'Enter' && event.key !== ' ') return
  event.preventDefault()
  if (to !== undefined) rows.at(to % rows.length)?.focus()
}
