// What the parts of the page for trying share: what this tab remembers, and how things are named in the reader's language.
const { lang } = document.documentElement
export const locale = lang === 'de' ? 'de' : 'en-GB'
export const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
export const past = document.querySelector('[data-history]')
export const base = past.dataset.history
export const form = document.querySelector('[data-call]')
export const answer = document.querySelector('[data-answer]')
export const call = form && JSON.parse(form.dataset.call)
export const words = answer && JSON.parse(answer.dataset.words)

export function recall(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(`${base} ${name}`)) ?? otherwise
  } catch {
    return otherwise
  }
}

export function keep(name, value) {
  try {
    sessionStorage.setItem(`${base} ${name}`, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing still calls.
  }
}

export function element(name, className, text = '') {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

export async function toClipboard(button, text, code) {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = words.copied
    setTimeout(() => (button.textContent = label), 1600)
  } catch {
    getSelection().selectAllChildren(code)
  }
}
