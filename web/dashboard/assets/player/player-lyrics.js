import { elementsOf, find } from './player-page.js'
import { openSungLines } from './sung-lines.js'

// The words of what plays; with times they follow the music. They are asked for when they are looked at.
const details = find('[data-lyrics]')
const panel = details.querySelector('.lyrics')
const sungLines = openSungLines(panel)
let asked = 0

export async function showLyrics() {
  sungLines.set([])
  if (!details.open) return
  asked += 1
  const mine = asked
  const response = await fetch(details.dataset.lyrics).catch(() => null)
  const markup = response?.ok ? await response.text() : ''
  if (mine !== asked) return
  panel.replaceChildren(elementsOf(markup))
  sungLines.set([...panel.querySelectorAll('[data-ms]')].map((row) => ({ row, ms: Number(row.dataset.ms) })))
}

export function followLyrics(positionMs) {
  if (details.open) sungLines.follow(positionMs)
}

details.addEventListener('toggle', () => void showLyrics())
