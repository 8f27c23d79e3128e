import { html, type Markup } from '../../lib/html.ts'

/** A field that searches a queue, with the number of its hits: `queue-search.js` shows them. */
export function queueSearchField(label: string): Markup {
  return html`<span class="queue-search" data-scripted>
    <input
      type="search"
      aria-label="${label}"
      placeholder="${label}"
      maxlength="100"
      autocomplete="off"
      spellcheck="false"
      data-find-in-queue
    />
    <small role="status" data-hits></small>
  </span>`
}
