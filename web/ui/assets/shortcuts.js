// Shortcuts of a single key, and their list. A switch in it turns them off in this browser, for those who speak to it.
const SETTING = 'single-keys'

/** A page in a frame may have no storage. */
function setting(value) {
  try {
    if (value) localStorage.setItem(SETTING, value)
    return localStorage.getItem(SETTING)
  } catch {
    return value
  }
}

/** @param actions by their keys; one that returns false had no use for its key. */
export function openShortcuts(actions) {
  const dialog = document.getElementById('shortcuts')
  const box = dialog.querySelector('input')
  const opener = document.querySelector('[data-open-keys]')
  const all = { '?': () => dialog.showModal(), ...actions }
  box.checked = setting() !== 'off'
  box.addEventListener('change', () => setting(box.checked ? 'on' : 'off'))
  opener.hidden = false
  opener.addEventListener('click', all['?'])
  // The area round a dialog is the dialog itself.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey || !box.checked || !Object.hasOwn(all, key)) return
    const others = `input, textarea, select${key.length > 1 || key === ' ' ? ', button, a' : ''}`
    if (target.closest?.(others) || document.querySelector('dialog[open]')) return
    if (all[key]() !== false) event.preventDefault()
  })
}
