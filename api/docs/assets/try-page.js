// Shared by the parts of the form: the call, the texts, and the values that this tab remembers.
const { lang } = document.documentElement
export const locale = lang === 'de' ? 'de' : 'en-GB'
export const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
export const form = document.querySelector('[data-call]')
export const answer = document.querySelector('[data-answer]')
export const call = JSON.parse(form.dataset.call)
export const words = JSON.parse(answer.dataset.words)

export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name))
  } catch {
    return null
  }
}

export function keep(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
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
