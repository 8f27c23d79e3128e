import { html, type Markup } from '../../lib/html.ts'

/**
 * The content of a column, which sets its width and its place on the card of a phone. `name` and `text` share the room
 * that the others leave; `box` has boxes that select rows; `moment` and `second` are times in the zone of the page, `age` one such as "2 hours ago"; only `wrap` has
 * rows of several lines.
 */
type ColumnKind =
  | 'box'
  | 'name'
  | 'text'
  | 'wrap'
  | 'label'
  | 'id'
  | 'code'
  | 'moment'
  | 'second'
  | 'age'
  | 'state'
  | 'short'
  | 'number'
  | 'action'
  | 'actions'

/** A column's title and kind; a title alone is text. */
export type Column = string | readonly [title: string, kind: ColumnKind]

function partsOf(column: Column | undefined): readonly [title: string, kind: ColumnKind] {
  return typeof column === 'object' ? column : [column ?? '', 'text']
}

/** A table with one line for each row, which becomes a list of cards on a phone. Its script sorts it by a column. */
export function table(label: string, columns: readonly Column[], rows: readonly Markup[]): Markup {
  return html`<table class="table" role="table" aria-label="${label}">
    <colgroup>
      ${columns.map((column) => html`<col class="col-${partsOf(column)[1]}" />`)}
    </colgroup>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(head)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => tableRow(row, columns))}
    </tbody>
  </table>`
}

function head(column: Column): Markup {
  const [title, kind] = partsOf(column)
  if (title === '') return html`<td role="cell"></td>`
  const zone = (kind === 'moment' || kind === 'second') && html` <small data-zone>UTC</small>`
  return html`<th scope="col" role="columnheader" data-col="${kind}" title="${title}">${title}${zone}</th>`
}

/** A row's first cell, which selects it for the form with this ID. */
export function boxCell(form: string, id: string, label: string): Markup {
  return html`<td><input type="checkbox" name="id" value="${id}" form="${form}" aria-label="${label}" /></td>`
}

/** The count of selected rows, with a box for all of them and what can be done to them. @param selected says that there are 0. */
export function selectionBar(label: string, selected: string, controls: Markup | readonly Markup[]): Markup {
  return html`<div class="selection" data-selection>
    <label class="select-all" data-scripted><input type="checkbox" data-select-all /> <span>${label}</span></label>
    <span data-selected="${selected}" role="status"></span>
    ${controls}
  </div>`
}

/** Shorter ones fit any column. */
const LONG = 20

/**
 * A row whose cells say which column they are of, since a card has no head, and have all of a text that may be cut as
 * their title. Roles are set explicitly, since browsers forget those of tables that are laid out otherwise.
 */
export function tableRow(row: Markup, columns: readonly Column[]): Markup {
  let at = 0
  const parts = row.markup.split(/(<t[dhr](?:\s[^<>]*)?>)/)
  for (let i = 1; i < parts.length; i += 2) {
    const tag = parts[i] ?? ''
    const start = tag.slice(0, 3)
    const attributes = start === '<tr' ? ' role="row"' : cellAttributes(start, parts[i + 1] ?? '', columns[at++])
    parts[i] = start + attributes + tag.slice(3)
  }
  return { markup: parts.join('') }
}

function cellAttributes(start: string, content: string, column: Column | undefined): string {
  const [title, kind] = partsOf(column)
  const role = start === '<td' ? 'cell' : 'rowheader'
  const attributes = html` role="${role}" data-col="${kind}"${title !== '' && html` data-label="${title}"`}`.markup
  const text = content
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (kind !== 'box' && (text === '' || text === '–')) return `${attributes} data-empty`
  const isShown = text.length < LONG || kind === 'wrap' || kind.startsWith('action') || content.includes(' title="')
  // The text is escaped already.
  return isShown ? attributes : `${attributes} title="${text}"`
}
