// Small helpers of the pages of players.
export const find = (selector) => document.querySelector(selector)

const { lang } = document.documentElement
const plural = new Intl.PluralRules(lang)
const numbers = new Intl.NumberFormat(lang)
export const grouped = (number) => numbers.format(number)

/** @param forms the words for 1 and for 2 of them. */
export function counted([one, two], count) {
  return plural.select(count) === 'one' ? one.replace('1', grouped(count)) : two.replace('2', grouped(count))
}

/** Markup of our own server as elements. */
export function elementsOf(markup) {
  const template = document.createElement('template')
  template.innerHTML = markup
  return template.content
}

/** @param markup of our own server, of why something was not done. */
export function refusalNote(markup) {
  const note = document.createElement('div')
  note.className = 'note bad'
  note.setAttribute('role', 'alert')
  note.append(elementsOf(`<div>${markup}</div>`))
  return note
}

/** To screen readers alone. */
export function announce(text) {
  find('[data-announce]').textContent = text
}

const TOAST_MS = 6000
const toast = find('[data-toast]')
let timer = 0

/** Shows a result, for eyes and for screen readers. @param action `label` and `run` of a button beside it. */
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
