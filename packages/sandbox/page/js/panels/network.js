import { button, make, refill } from '../core/dom.js'
import { attempt } from '../core/problem.js'
import { state } from '../core/store.js'
import { words } from '../core/words.js'
import { activeFaults, clearFaults, FAULTS } from './faults.js'

export const countFaults = () => activeFaults().length

export function drawNetwork(panel) {
  if (!state.network) return
  const it = words()
  const clear = button({
    className: 'quiet-button',
    text: it.everyPreset,
    press: () => attempt(clearFaults),
    disabled: countFaults() === 0,
    data: { key: 'clear-faults' },
  })
  refill(
    panel,
    make('p', { className: 'quiet lead' }, it.networkLead),
    clear,
    Object.entries(FAULTS).map(([name, faults]) => drawGroup(it, name, faults)),
  )
}

function drawGroup(it, name, faults) {
  const id = `faults-${name}`
  const rows = Object.entries(faults).map(([key, fault]) => drawFault(it, key, fault))
  return make(
    'section',
    { aria: { labelledby: id } },
    make('h2', { id, className: 'small-title' }, it.faultGroups[name]),
    make('ul', { className: 'faults' }, rows),
  )
}

function drawFault(it, key, { isOn, set, act }) {
  const [title, expected] = it.faults[key]
  const id = `fault-${key}`
  const on = isOn?.(state.network) ?? false
  const control = isOn
    ? button({
        className: 'switch',
        role: 'switch',
        aria: { checked: on, labelledby: id, describedby: `${id}-text` },
        press: () => attempt(() => set(!on)),
        data: { key },
      })
    : button({
        className: 'quiet-button',
        text: it.apply,
        aria: { label: `${it.apply}: ${title}`, describedby: `${id}-text` },
        press: () => attempt(act),
        data: { key },
      })
  return make(
    'li',
    { className: `fault ${on ? 'on' : ''}` },
    make(
      'div',
      { className: 'grow' },
      make('p', { id, className: 'strong' }, title),
      make('p', { id: `${id}-text`, className: 'quiet' }, expected),
    ),
    control,
  )
}
