/** Markup that is safe to send as it is. Only `html` and `trusted` make it. */
export interface Markup {
  readonly markup: string
}

type Piece = string | number | Markup | null | undefined | false | readonly Piece[]

/** A template whose values are escaped, unless they are markup themselves; lists are joined, nothing stays nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let markup = strings[0] ?? ''
  for (const [at, value] of values.entries()) markup += render(value) + (strings[at + 1] ?? '')
  return { markup }
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escape(piece)
  if (typeof piece === 'number') return String(piece)
  return 'markup' in piece ? piece.markup : piece.map(render).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

/** The little Markdown that descriptions use: paragraphs, `code` and **bold**. */
export function prose(text: string | undefined): Markup {
  const paragraphs = (text ?? '').split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return html`${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

export function inline(text: string | undefined): Markup {
  const markup = escape(text ?? '')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  return { markup }
}
