// Sorts the rows of a table that are on the page by the column whose head is pressed, and selects them for a form.
import { Selection } from './selection.js'

const { lang } = document.documentElement
const words = new Intl.Collator(lang, { numeric: true })
const [, point] = (1.5).toLocaleString(lang)

/** The number of a text such as `1,234.5 ms`; a cell without one counts as the least. */
function numberOf(text) {
  const digits = [...text].filter((char) => char === point || (char >= '0' && char <= '9')).join('')
  return digits === '' ? -1 : Number(digits.replace(point, '.'))
}

function valueOf(row, at, kind) {
  const cell = row.cells[at]
  if (kind === 'moment' || kind === 'second' || kind === 'age')
    return Date.parse(cell.querySelector('time')?.dateTime ?? 0) || 0
  return kind === 'number' || kind === 'short' ? numberOf(cell.textContent) : cell.textContent.trim()
}

function sort(head) {
  const isFalling = head.ariaSort === 'ascending'
  const { cellIndex: at, dataset } = head
  for (const other of head.parentElement.cells) other.removeAttribute('aria-sort')
  head.ariaSort = isFalling ? 'descending' : 'ascending'
  const body = head.closest('table').tBodies[0]
  const keyed = [...body.rows].map((row) => [valueOf(row, at, dataset.col), row])
  keyed.sort(([a], [b]) => (typeof a === 'number' ? a - b : words.compare(a, b)) * (isFalling ? -1 : 1))
  body.append(...keyed.map(([, row]) => row))
}

/** Makes each head a button, once. The server renews tables of live parts, so these stay plain. */
export function setUpTables(root) {
  for (const head of root.querySelectorAll('.table:not([data-part] *) thead th:not(:has(button))')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'as-link'
    button.append(...head.childNodes)
    button.addEventListener('click', () => sort(head))
    head.append(button)
  }
}

/** Shows how many rows are selected, once for each form that changes several. */
export function setUpSelections(root) {
  for (const form of root.querySelectorAll('form.bulk')) {
    const boxes = () => [...form.parentElement.querySelectorAll('[name="id"]')]
    const ids = () => boxes().map(({ value }) => value)
    const selection = new Selection(form, {
      total: () => boxes().length,
      onChange() {
        for (const box of boxes()) {
          box.checked = selection.has(box.value)
          box.closest('tr').classList.toggle('selected', box.checked)
        }
      },
    })
    // Browsers may remember what was checked.
    const kept = boxes().filter(({ checked }) => checked)
    selection.open(ids)
    selection.all(kept.map(({ value }) => value))
    form.parentElement.addEventListener('click', ({ target, shiftKey }) => {
      if (target.name !== 'id') return
      if (shiftKey) selection.extendTo(target.value, ids())
      else selection.toggle(target.value, target.checked)
    })
  }
}
