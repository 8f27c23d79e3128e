import { failureNote, find, make, words } from './page.js'
import { ask } from './connection.js'
import { openSungLines } from './sung-lines.js'

// The words of what plays; with times they follow the music.
const panel = find('#panel-lyrics')
const lines = find('[data-lines]')
const stage = find('[data-stage]')
let mark = null
const sungLines = openSungLines(lines)

/** @param current what plays; its words are asked for when they are looked at. */
export async function showLyrics(current) {
  find('[data-stage-title]').textContent = current?.title ?? words.nothing
  const wanted = current?.mark ?? null
  if (panel.hidden || wanted === mark) return
  mark = wanted
  sungLines.set([])
  lines.replaceChildren()
  if (wanted === null) return tell(words.nothing)
  try {
    const { lyrics } = await ask('lyrics')
    if (mark !== wanted) return
    // The next track has begun meanwhile.
    if (lyrics && lyrics.mark !== wanted) return void (mark = null)
    draw(lyrics)
  } catch {
    if (mark === wanted) lines.replaceChildren(failureNote({ message: words.lyricsFailed }, () => retry(current)))
  }
}

function retry(current) {
  mark = null
  void showLyrics(current)
}

function tell(text) {
  lines.replaceChildren(make('p', { class: 'hint' }, text))
}

function draw(lyrics) {
  if (!lyrics) return tell(words.noLyrics)
  if (lyrics.instrumental) return tell(words.instrumental)
  const rows = lyrics.lines.map(({ text }) => make('p', { dir: 'auto' }, text || '♪'))
  lines.replaceChildren(...rows)
  lines.classList.toggle('timed', lyrics.synced)
  if (lyrics.synced) sungLines.set(lyrics.lines.map(({ timeMs }, at) => ({ ms: timeMs, row: rows[at] })))
}

export function followLyrics(positionMs) {
  if (!panel.hidden) sungLines.follow(positionMs)
}

/** The whole screen shows the same lines. */
export function openStage() {
  find('[data-open-stage]').addEventListener('click', () => {
    stage.append(lines)
    stage.showModal()
  })
  find('[data-close-stage]').addEventListener('click', () => stage.close())
  stage.addEventListener('close', () => panel.append(lines))
}
