import { html, type Markup } from '../../../../lib/html.ts'
import type { PlayerTrace } from '../../../../bot/player/player-info.ts'
import type { HtmlPage } from '../../http/route.ts'
import { head, moment } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { plotFigure, type Plot } from '../../ui/plot.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { playerScopeOf, placeAt } from './search.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const PLAYERS = textsOf('dashboard-players')

const SPAN_MS = 10_000
/** Ten minutes. */
const SPANS = 60
const FRAMES_PER_SPAN = 500
/** The last ones tell most. */
const MOST_ENTRIES = 100

/** The flight recorder of a player: how its sound went in the last ten minutes, and why it did not. */
export async function soundPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, language } = request
  const w = PLAYERS[language]
  const place = await placeAt(request)
  const trace = await context.music.trace(await playerScopeOf(request, place.bot.id), place.guildId)
  return {
    kind: 'page',
    title: w.sound,
    scripts: ['plots.js'],
    styles: ['uplot.css'],
    body: html`${head(w.sound, { lead: `${place.guildName}. ${w.soundLead}`, back: { to: place.address, label: place.guildName } })}
      <section>
        <h2>${w.frames}</h2>
        <p class="lead">${w.framesLead({ whole: FRAMES_PER_SPAN })}</p>
        ${plotFigure(request, { label: w.frames, plot: framePlot(request, trace), kind: 'stacked' })}
      </section>
      <section>
        <h2>${w.happened}</h2>
        ${trace.entries.length === 0 ? html`<p class="lead">${w.nothingHappened}</p>` : entries(request, trace)}
      </section>`,
  }
}

function framePlot({ language }: ProjectRequest, { toMs, spans }: PlayerTrace): Plot {
  const w = PLAYERS[language]
  const lastMs = Math.floor(toMs / SPAN_MS) * SPAN_MS
  const at = new Map(spans.map((span) => [Math.floor(span.fromMs / SPAN_MS), span]))
  const starts = Array.from({ length: SPANS }, (_, index) => lastMs - (SPANS - 1 - index) * SPAN_MS)
  const found = starts.map((ms) => at.get(ms / SPAN_MS))
  const lines = [
    {
      name: w.sent,
      tone: 'accent',
      values: found.map((span) => Math.max(0, (span?.sent ?? 0) - (span?.nulled ?? 0) - (span?.late ?? 0))),
    },
    { name: w.late, tone: 'warn', values: found.map((span) => span?.late ?? 0) },
    { name: w.nulled, tone: 'bad', values: found.map((span) => span?.nulled ?? 0) },
  ]
  return { times: starts.map((ms) => ms / 1000), lines }
}

function entries(request: ProjectRequest, trace: PlayerTrace): Markup {
  const w = PLAYERS[request.language]
  const rows = trace.entries
    .slice(-MOST_ENTRIES)
    .toReversed()
    .map(
      ({ atMs, kind, text }) =>
        html`<tr>
          <td>${moment(request, atMs, 'seconds')}</td>
          <th scope="row" lang="en">${kind}</th>
          <td lang="en">${text}</td>
        </tr>`,
    )
  return table(
    w.happened,
    [
      [w.when, 'second'],
      [w.kind, 'label'],
      [w.happened, 'wrap'],
    ],
    rows,
  )
}
