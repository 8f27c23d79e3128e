import { find, make, words } from './page.js'
import { ask } from './connection.js'

// The words of what plays; with times they follow the music.
const panel = find('#panel-lyrics')
let mark = null
let lines = []
let sung = -1

/** @param current what plays; its words are asked for when they are looked at. */
export async function showLyrics(current) {
  const wanted = current?.mark ?? null
  if (panel.hidden || wanted === mark) return
  mark = wanted
  lines = []
  sung = -1
  panel.replaceChildren()
  if (wanted === null) return tell(words.nothing)
  try {
    const { lyrics } = await ask('lyrics')
    if (mark !== wanted) return
    // The next track has begun meanwhile.
    if (lyrics && lyrics.mark !== wanted) return void (mark = null)
    draw(lyrics)
  } catch (error) {
    if (mark === wanted) tell(error.message)
  }
}

function tell(text) {
  panel.replaceChildren(make('p', { class: 'hint' }, text))
}

function draw(lyrics) {
  if (!lyrics) return tell(words.noLyrics)
  if (lyrics.instrumental) return tell(words.instrumental)
  const rows = lyrics.lines.map(({ text }) => make('p', {}, text || '♪'))
  panel.replaceChildren(...rows)
  panel.classList.toggle('timed', lyrics.synced)
  lines = lyrics.synced ? lyrics.lines.map(({ timeMs }, at) => ({ timeMs, row: rows[at] })) : []
}

/** Marks the line that is sung at this position. */
export function followLyrics(positionMs) {
  if (panel.hidden || lines.length === 0) return
  let at = lines.findLastIndex(({ timeMs }) => timeMs <= positionMs)
  if (at === sung) return
  lines[sung]?.row.removeAttribute('aria-current')
  sung = at
  const line = lines[at]
  if (!line) return
  line.row.setAttribute('aria-current', 'true')
  const middle = line.row.offsetTop - panel.clientHeight / 2 + line.row.clientHeight / 2
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  panel.scrollTo({ top: middle, behavior: isCalm ? 'auto' : 'smooth' })
}
