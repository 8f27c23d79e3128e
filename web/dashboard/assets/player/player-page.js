import { find, refusalNote } from './page-parts.js'

export { announce, counted, elementsOf, find, say } from './page-parts.js'

// Small helpers that every part of the page of a player uses.
export const root = find('[data-player]')
export const words = JSON.parse(root.dataset.words)
export const address = root.dataset.player

/** A failure that lasts until the next thing is done; null ends it. It is markup of our own. */
export function setRefusal(markup) {
  find('[data-refusal]').replaceChildren(...(markup === null ? [] : [refusalNote(markup)]))
}
