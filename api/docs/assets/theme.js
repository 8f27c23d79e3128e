// Runs before anything is painted: the reader's colours, and the language of their snippets.
const root = document.documentElement
const stored = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
root.classList.add('script')
root.dataset.snippet = stored('snippet') ?? 'shell'
if (stored('theme')) root.dataset.theme = stored('theme')
