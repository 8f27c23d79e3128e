// The reference reads well without this: it adds copying, colours, and the choice of a language for snippets.
const root = document.documentElement

function keep(name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

const theme = document.querySelector('#theme')
const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches)
function nameTheme() {
  theme?.setAttribute('aria-label', isDark() ? theme.dataset.light : theme.dataset.dark)
}
theme?.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  keep('theme', root.dataset.theme)
  nameTheme()
})
nameTheme()

document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('[data-copy]')
  if (button) void copy(button, button.closest('figure').querySelector('code'))
})

/** @param text left out: what the element shows. */
export async function copy(button, code, text = code.textContent) {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = '✓'
    setTimeout(() => (button.textContent = label), 1200)
  } catch {
    // Without permission the text is marked instead, ready for the keys that copy.
    getSelection().selectAllChildren(code)
  }
}

/** The chosen language holds for all pages; `theme.js` sets it before the next one is painted. */
function chooseLanguage() {
  const select = document.querySelector('#language')
  if (!select) return
  if ([...select.options].some(({ value }) => value === root.dataset.snippet)) select.value = root.dataset.snippet
  else root.dataset.snippet = select.value
  select.addEventListener('change', () => {
    root.dataset.snippet = select.value
    keep('snippet', select.value)
  })
}
chooseLanguage()

// Scrolls a long list of contents to the route of the page.
const here = document.querySelector('#contents [aria-current]')
const contents = document.querySelector('#contents')
if (here && getComputedStyle(contents).position === 'sticky') {
  contents.scrollTop = here.offsetTop - contents.clientHeight / 2
}
