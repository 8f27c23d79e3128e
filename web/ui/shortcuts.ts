import { html, type Markup } from '../../lib/html.ts'

interface ShortcutWords {
  readonly title: string
  /** The label of the switch. */
  readonly single: string
  readonly close: string
}

/** The list of shortcuts, which `shortcuts.js` opens, with the switch for single keys. */
export function shortcutsDialog(w: ShortcutWords, keys: readonly (readonly [key: string, what: string])[]): Markup {
  return html`<dialog id="shortcuts" aria-labelledby="shortcuts-title">
    <h2 id="shortcuts-title">${w.title}</h2>
    <dl>
      ${keys.map(
        ([key, what]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${what}</dd>`,
      )}
    </dl>
    <label><input type="checkbox" checked /> ${w.single}</label>
    <form method="dialog"><button class="button">${w.close}</button></form>
  </dialog>`
}
