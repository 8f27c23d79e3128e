// Every page works without this. It adds copying, the menu of small screens, and times in the zone of the reader.
const root = document.documentElement

// Set on the root, to cover buttons that come later.
root.classList.add('can-copy')
for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false
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

const moment = new Intl.DateTimeFormat(root.lang === 'de' ? 'de' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(root.lang === 'de' ? 'de' : 'en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const zoned = new Intl.DateTimeFormat(root.lang === 'de' ? 'de' : 'en-GB', {
  dateStyle: 'full',
  timeStyle: 'long',
})
for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime)
  time.title = zoned.format(at)
  if ('moment' in time.dataset) time.textContent = (time.dataset.moment === 'seconds' ? exact : moment).format(at)
}

// Pages that ask whether to go on come up in place.
const ASKING = /\/(?:end|remove|revoke|stop)$/
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('main a[href^="/dashboard/"]')
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || event.defaultPrevented || !ASKING.test(link.pathname)) return
  event.preventDefault()
  void ask(link)
})

async function ask({ href }) {
  const answer = await fetch(href).catch(() => null)
  const page = new DOMParser().parseFromString((await answer?.text().catch(() => '')) ?? '', 'text/html')
  const main = page.querySelector('main')
  const form = main?.querySelector('form')
  if (!answer?.ok || answer.redirected || !form) return location.assign(href)
  const dialog = document.createElement('dialog')
  const title = Object.assign(document.createElement('h2'), { id: 'asked' })
  title.textContent = main.querySelector('h1').textContent
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(title, ...main.querySelectorAll('.head .lead, :scope > :not(.head)'))
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  const keep = form.querySelector('.buttons a')
  keep?.addEventListener('click', (event) => {
    event.preventDefault()
    dialog.close()
  })
  dialog.showModal()
  return keep?.focus()
}

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
