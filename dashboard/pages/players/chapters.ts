import { html, type Markup } from '../../../api/docs/html.ts'
import type { PlayerInfo } from '../../../bot/player/player-info.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { inlineForm } from '../../ui/forms.ts'
import { PLAYERS } from './words.ts'

/** The chapter that sounds, where the track has any. */
export function chapterLine({ language }: ProjectRequest, info: PlayerInfo): Markup | null {
  const index = currentIndex(info)
  const chapter = info.chapters[index]
  if (!chapter) return null
  const { chapterOf } = PLAYERS[language]
  return html`<p class="hint">${chapterOf(index + 1, info.chapters.length)}: ${chapter.title}</p>`
}

/** Chooses the chapter to play on from; null where there are none. */
export function chapterForm(request: ProjectRequest, info: PlayerInfo, { to, id }: { to: string; id: string }) {
  if (info.chapters.length === 0) return null
  const w = PLAYERS[request.language]
  const now = currentIndex(info)
  const options = info.chapters.map(
    ({ title, startMs }, index) =>
      html`<option value="${index + 1}" ${index === now && { markup: 'selected' }}>${clock(startMs)} ${title}</option>`,
  )
  const field = html`<label class="volume"
    ><span>${w.chapter}</span
    ><select id="chapter-${id}" name="chapter" data-send>
      ${options}
    </select>
    <button class="button small" data-plain>${w.set}</button></label
  >`
  return inlineForm(request, `${to}/chapter`, field)
}

function currentIndex({ chapters, positionMs }: PlayerInfo): number {
  return chapters.findLastIndex(({ startMs }) => startMs <= positionMs)
}

/** `3:07`, `1:02:45`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
