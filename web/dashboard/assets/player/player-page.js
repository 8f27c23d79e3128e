// Small helpers that every part of the page of a player uses.
export const find = (selector) => document.querySelector(selector)
export const root = find('[data-player]')
export const words = JSON.parse(root.dataset.words)
export const address = root.dataset.player

const toast = find('[data-toast]')
const announcer = find('[data-announce]')
const TOAST_MS = 6000
let timer = 0

/** Says what came of something, to eyes and to screen readers. @param action `label` and `run` of a button beside it. */
export function say(text, action) {
  clearTimeout(timer)
  toast.textContent = text
  if (action) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button small'
    button.textContent = action.label
    button.addEventListener('click', () => {
      hide()
      action.run()
    })
    toast.append(' ', button)
  }
  toast.classList.toggle('shown', text !== '')
  timer = setTimeout(hide, TOAST_MS)
}

function hide() {
  // A button that has the focus is not taken away under it.
  if (toast.contains(document.activeElement)) return
  toast.classList.remove('shown')
  toast.replaceChildren()
}

/** To screen readers alone. */
export function announce(text) {
  announcer.textContent = text
}

/** Markup of our own server as elements. */
export function elementsOf(markup) {
  const template = document.createElement('template')
  template.innerHTML = markup
  return template.content
}

/** A failure that lasts until the next thing is done; null ends it. It is markup of our own. */
export function setRefusal(markup) {
  const place = find('[data-refusal]')
  if (markup === null) return place.replaceChildren()
  const note = document.createElement('div')
  note.className = 'note bad'
  note.setAttribute('role', 'alert')
  note.append(elementsOf(`<div>${markup}</div>`))
  place.replaceChildren(note)
}
