// The reference reads well without this: it adds copying, filtering and a switch for the colours.
const root = document.documentElement
const stored = localStorage.getItem('theme')
if (stored) root.dataset.theme = stored

document.querySelector('#theme')?.addEventListener('click', () => {
  const dark = getComputedStyle(root).colorScheme === 'dark' || matchesDark()
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
})

function matchesDark() {
  return !root.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches
}

for (const button of document.querySelectorAll('button.copy')) {
  button.addEventListener('click', () => void copy(button))
}

async function copy(button) {
  await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}

const filter = document.querySelector('#filter')
filter?.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const item of document.querySelectorAll('[data-search]')) {
    item.hidden = !words.every((word) => item.dataset.search.includes(word))
  }
})

// On a phone the contents would push the page away.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details')?.removeAttribute('open')
