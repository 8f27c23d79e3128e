import { elementsOf, find } from './player-page.js'

// The words of what plays; with times they follow the music. They are asked for when they are looked at.
const details = find('[data-lyrics]')
const panel = details.querySelector('.lyrics')
let lines = []
let sung = -1
let asked = 0

export async function showLyrics() {
  lines = []
  sung = -1
  if (!details.open) return
  asked += 1
  const mine = asked
  const response = await fetch(details.dataset.lyrics).catch(() => null)
  const markup = response?.ok ? await response.text() : ''
  if (mine !== asked) return
  panel.replaceChildren(elementsOf(markup))
  lines = [...panel.querySelectorAll('[data-ms]')].map((row) => ({ row, ms: Number(row.dataset.ms) }))
}

/** Marks the line that is sung at this position. */
export function followLyrics(positionMs) {
  if (!details.open || lines.length === 0) return
  const now = lines.findLastIndex(({ ms }) => ms <= positionMs)
  if (now === sung) return
  lines[sung]?.row.removeAttribute('aria-current')
  sung = now
  const row = lines[now]?.row
  if (!row) return
  row.setAttribute('aria-current', 'true')
  const top = row.offsetTop - panel.offsetTop - panel.clientHeight / 2 + row.clientHeight / 2
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  panel.scrollTo({ top, behavior: isCalm ? 'auto' : 'smooth' })
}

details.addEventListener('toggle', () => void showLyrics())
