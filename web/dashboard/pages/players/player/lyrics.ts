import { html, type Markup } from '../../../../../lib/html.ts'
import type { LyricsOf } from '../../../../../upstream/music/lyrics.ts'
import { Fault } from '../../../../../lib/errors.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'
import type { Outcome } from '../../../http/route.ts'
import { head, note } from '../../../ui/components.ts'
import { faultWords } from '../../../words/faults.ts'
import { placeAt, playerScopeOf, type ShownPlayer } from '../search.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** The lyrics of what plays: a page, or with `?part=1` the lines alone for the script. */
export async function lyricsPage(request: ProjectRequest): Promise<Outcome> {
  const w = PLAYER[request.language]
  const place = await placeAt(request)
  const lines = await findLines(request, place)
  if (request.query.has('part')) return { kind: 'file', contentType: 'text/html; charset=utf-8', body: lines.markup }
  const lead = place.info.current?.title ?? w.nothing
  return {
    kind: 'page',
    title: w.lyrics,
    body: html`${head(w.lyrics, { lead, back: { to: place.address, label: place.guildName } })}
      <div class="lyrics">${lines}</div>`,
  }
}

async function findLines(request: ProjectRequest, { bot, info }: ShownPlayer): Promise<Markup> {
  const w = PLAYER[request.language]
  if (info.current === null) return html`<p class="hint">${w.nothing}</p>`
  try {
    const found = await request.context.trackMetadata.lyrics(await playerScopeOf(request, bot.id), info.current)
    return found.instrumental ? html`<p class="hint">${w.instrumental}</p>` : linesOf(found)
  } catch (err) {
    if (!(err instanceof Fault) || err.code === 'internal_error') throw err
    if (err.code === 'not_found') return html`<p class="hint">${w.noLyrics}</p>`
    return note('bad', faultWords(request.language, err))
  }
}

function linesOf({ lines, synced }: LyricsOf): Markup {
  return html`${lines.map(
    ({ text, timeMs }) =>
      html`<p ${synced && timeMs !== null && html`data-ms="${timeMs}"`}>${text === '' ? '♪' : text}</p>`,
  )}`
}
