// Sorts the rows of a table that are on the page by the column whose head is pressed.
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
