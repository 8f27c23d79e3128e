import { find } from './page.js'
import { press, seekBy } from './now-playing.js'

// Keys for the whole page, where nothing else has a use for them.
const dialog = find('[data-keys]')

/** @param search puts the cursor into the search. */
export function openShortcuts(search) {
  const doing = {
    ' ': () => press('pause'),
    ArrowRight: () => seekBy(1),
    ArrowLeft: () => seekBy(-1),
    '/': search,
    '?': () => dialog.showModal(),
  }
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey || !Object.hasOwn(doing, key)) return
    const others = key.length > 1 || key === ' ' ? 'input, button, a, dialog' : 'input, dialog'
    if (target.closest(others)) return
    event.preventDefault()
    doing[key]()
  })
  find('[data-open-keys]').addEventListener('click', () => dialog.showModal())
  find('[data-close-keys]').addEventListener('click', () => dialog.close())
}
