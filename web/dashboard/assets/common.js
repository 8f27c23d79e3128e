// Every page works without this. It adds copying, sorting, the menu of small screens, and times in the zone of the reader.
import { setUpSelections, setUpTables } from './table.js'

const root = document.documentElement

// Set on the root, to cover buttons that come later.
root.classList.add('can-copy')
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]')
  if (button?.classList.contains('copy-id')) void copyId(button)
  else if (button) void copy(button)
})

async function copyId(button) {
  const { copy: id, done } = button.dataset
  const { title } = button
  try {
    await navigator.clipboard.writeText(id)
    button.classList.add('done')
    button.ariaLabel = button.title = done
    setTimeout(() => {
      button.classList.remove('done')
      button.ariaLabel = button.title = title
    }, 1600)
  } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector('code'))
  }
}

async function copy(button) {
  const code = button.closest('figure').querySelector('code')
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = button.dataset.done
  } catch {
    // Without permission the text is marked instead, ready for the keys that copy.
    getSelection().selectAllChildren(code)
  }
  setTimeout(() => (button.textContent = label), 1600)
}

const menu = document.querySelector('[data-menu]')
if (menu) {
  root.classList.add('has-script')
  menu.hidden = false
  const isOpen = () => menu.getAttribute('aria-expanded') === 'true'
  menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(!isOpen())))
  menu.closest('header').addEventListener('keydown', ({ key }) => {
    // On a wide screen the menu is always there, and there is nothing to close.
    if (key !== 'Escape' || !isOpen() || menu.offsetParent === null) return
    menu.setAttribute('aria-expanded', 'false')
    menu.focus()
  })
}

const locale = root.lang === 'de' ? 'de' : 'en-GB'
const digits = '2-digit'
const formats = {
  minutes: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  seconds: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: digits, minute: digits, second: digits }),
  zone: new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }),
  whole: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }),
}
/** The one zone of all times and fields of the page. */
export const zone = formats.zone.formatToParts().find(({ type }) => type === 'timeZoneName').value

/** Brings to life what the server wrote: at first the page, then what comes later. */
export function setUp(part) {
  for (const one of part.querySelectorAll('[data-copy], [data-replay]')) one.hidden = false
  for (const name of part.querySelectorAll('[data-zone]')) name.textContent = zone
  for (const time of part.querySelectorAll('time')) {
    const at = new Date(time.dateTime)
    time.title = formats.whole.format(at)
    // The head of a table names the zone.
    const end = time.closest('td') ? '' : ` ${zone}`
    if ('moment' in time.dataset) time.textContent = formats[time.dataset.moment || 'minutes'].format(at) + end
  }
  setUpTables(part)
}

setUp(document)
setUpSelections(document)

for (const field of document.querySelectorAll('[type=datetime-local]')) {
  const at = new Date(`${field.value}Z`)
  if (field.value) field.value = new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  field.form.addEventListener('formdata', ({ formData }) => {
    if (field.value) formData.set(field.name, new Date(field.value).toISOString())
  })
}
// Filters that are left open do not belong into the address.
for (const form of document.querySelectorAll('form.filters')) {
  form.addEventListener('formdata', ({ formData }) => {
    for (const name of new Set(formData.keys())) if (formData.get(name) === '') formData.delete(name)
  })
}

/** A press that opens a link in this tab, and that nothing else has taken. */
export const isPlainPress = ({ button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented }) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !defaultPrevented

/** The content of another page; null if it must be opened to be seen. */
export async function fetchMain(href) {
  const answer = await fetch(href, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  if (!answer?.ok || answer.redirected) return null
  const text = await answer.text().catch(() => '')
  return new DOMParser().parseFromString(text, 'text/html').querySelector('main')
}

// Pages that ask whether to go on come up in place.
const ASKING = /\/(?:end|remove|revoke|stop)$/
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('main a[href^="/dashboard/"]')
  if (!link || !isPlainPress(event) || !ASKING.test(link.pathname)) return
  event.preventDefault()
  void ask(link)
})

// So does the question about all selected rows.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (!form.matches('.bulk')) return
  event.preventDefault()
  void ask({ href: `${submitter.formAction}?${new URLSearchParams(new FormData(form))}` })
})

async function ask({ href }) {
  const main = await fetchMain(href)
  const form = main?.querySelector('form')
  if (!form) return location.assign(href)
  const dialog = document.createElement('dialog')
  const title = Object.assign(document.createElement('h2'), { id: 'asked' })
  title.textContent = main.querySelector('h1').textContent
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(title, ...main.querySelectorAll('.head .lead, :scope > :not(.head)'))
  document.body.append(dialog)
  setUp(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  const keep = form.querySelector('.buttons a')
  keep?.addEventListener('click', (event) => {
    event.preventDefault()
    dialog.close()
  })
  dialog.showModal()
  return keep?.focus()
}

/** Puts the focus on the field or row that the address names. */
function goToField() {
  const name = CSS.escape(location.hash.slice(1))
  if (name === '') return
  const named = `main [name="${name}"]`
  const field = document.querySelector(`main #${name}, ${named}:checked`) ?? document.querySelector(named)
  field?.focus()
}
addEventListener('hashchange', goToField)
goToField()

// Requests tried out and their key must not reach the next person who signs in.
if (document.body.classList.contains('bare')) sessionStorage.clear()

// A form counts once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post' || event.defaultPrevented) return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'yes'
})
// A page that comes back out of the browser's memory can be used again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})
