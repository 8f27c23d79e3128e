import { find, make, words } from './page.js'
import { ask } from './connection.js'
import { openSungLines } from './sung-lines.js'

// The words of what plays; with times they follow the music.
const panel = find('#panel-lyrics')
let mark = null
const sungLines = openSungLines(panel)

/** @param current what plays; its words are asked for when they are looked at. */
export async function showLyrics(current) {
  const wanted = current?.mark ?? null
  if (panel.hidden || wanted === mark) return
  mark = wanted
  sungLines.set([])
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
  if (lyrics.synced) sungLines.set(lyrics.lines.map(({ timeMs }, at) => ({ ms: timeMs, row: rows[at] })))
}

export function followLyrics(positionMs) {
  if (!panel.hidden) sungLines.follow(positionMs)
}
