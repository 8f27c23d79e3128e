// Draws the plots; the tables beside them hold the same numbers.
import { zone } from './common.js'
import uPlot from './uplot.js'

const TONES = {
  accent: '--accent',
  warn: '--warn',
  bad: '--bad',
  soft: '--soft',
  other: '--plot-3',
  'line-1': '--plot-1',
  'line-2': '--plot-2',
  'line-3': '--plot-3',
  'line-4': '--plot-4',
  'line-5': '--plot-5',
  'line-6': '--plot-6',
}

const { lang } = document.documentElement
const locale = lang === 'de' ? 'de' : 'en-GB'
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const ticks = {
  day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  utcDay: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  minute: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
}

const DAY_SECONDS = 86_400
const DAYS = [1, 2, 5, 7, 14, 31, 61, 122].map((days) => days * DAY_SECONDS)

/** A canvas knows no `light-dark()`, so an element is asked what a colour of the stylesheet comes to. */
function colour(name) {
  const probe = document.createElement('i')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Each line on top of those before it; null if none has a value. */
function stacked(lines, times) {
  let below = times.map(() => 0)
  return lines.map(({ values }) => {
    below = below.map((sum, i) => sum + (values[i] ?? 0))
    return below.map((sum, i) => (lines.every(({ values: all }) => all[i] === null) ? null : sum))
  })
}

/** A point with a gap on both sides has no line to be seen by. */
function alone(plot, at) {
  const values = plot.data[at]
  const found = values.flatMap((value, i) =>
    value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null ? [i] : [],
  )
  return found.length > 0 ? found : null
}

/** Shows the values under the cursor in the line above the plot. */
function tell(place, { lines, times, isDaily }, at) {
  const legend = place.parentElement.querySelector('.legend')
  const items = [...legend.children]
  const unit = place.dataset.unit === '' ? '' : ` ${place.dataset.unit}`
  const isThere = typeof at === 'number'
  for (const [i, { values }] of lines.entries()) {
    const value = isThere ? (values[at] ?? null) : null
    items[i].querySelector('b').textContent = value === null ? '' : value.toLocaleString(locale) + unit
  }
  items.at(-1).textContent = isThere ? (isDaily ? utcDay : moment).format(times[at] * 1000) : isDaily ? 'UTC' : zone
}

/** The line whose point or bar is nearest to the cursor. */
function nearest(plot, { lines }, sums, isStacked) {
  const { idx, top } = plot.cursor
  const value = plot.posToVal(top, 'y')
  if (isStacked) return lines.find((_, i) => (sums[i][idx] ?? 0) >= value)
  const far = (i) => Math.abs((sums[i][idx] ?? Infinity) - value)
  return lines.toSorted((a, b) => far(lines.indexOf(a)) - far(lines.indexOf(b)))[0]
}

/** Opens the requests that were counted in the clicked step. */
function open(plot, given, sums, isStacked) {
  const { idx } = plot.cursor
  const link = typeof idx === 'number' && given.links?.[idx]
  if (!link || given.lines.every(({ values }) => !values[idx])) return
  const { filter } = nearest(plot, given, sums, isStacked) ?? {}
  location.assign(filter ? `${link}&${filter}` : link)
}

function seriesOf({ lines }, order, isStacked) {
  const bars = uPlot.paths.bars({ size: [0.72, 28], radius: 0.15 })
  return order.map((i) => {
    const stroke = colour(TONES[lines[i].tone])
    if (isStacked) return { stroke, fill: stroke, paths: bars, width: 0, points: { show: false } }
    return { stroke, width: 1.75, points: { show: () => false, filter: alone, size: 6, fill: stroke } }
  })
}

function draw(place) {
  const given = JSON.parse(place.dataset.plot)
  const { times, lines, isDaily } = given
  const isStacked = place.dataset.kind === 'stacked'
  const sums = isStacked ? stacked(lines, times) : lines.map(({ values }) => values)
  // The highest is drawn first, so that all of them are seen.
  const order = isStacked ? lines.map((_, i) => lines.length - 1 - i) : lines.map((_, i) => i)
  const soft = colour('--soft')
  const axis = { stroke: soft, font: '12px Geist, sans-serif', grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
  const step = (times[1] ?? 0) - (times[0] ?? 0) || 60
  const day = isDaily ? ticks.utcDay : ticks.day
  // Hours say nothing where there are many days.
  const isLong = times.at(-1) - times[0] > 2 * DAY_SECONDS
  const tick = (...[, all, , , apart]) => all.map((at) => (apart >= DAY_SECONDS ? day : ticks.minute).format(at * 1000))
  place.replaceChildren()
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      padding: [12, 28, 0, 0],
      cursor: { y: false, points: { show: !isStacked } },
      scales: {
        x: { range: [times[0] - step / 2, times.at(-1) + step / 2] },
        y: { range: (_, __, max) => [0, Math.max(max * 1.1, 4)] },
      },
      ...(isDaily && { tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC') }),
      axes: [{ ...axis, size: 32, grid: { show: false }, values: tick, ...(isLong && { incrs: DAYS }) }, { ...axis, size: 56 }],
      series: [{}, ...seriesOf(given, order, isStacked)],
      legend: { show: false },
      hooks: { setCursor: [({ cursor }) => tell(place, given, cursor.idx)] },
    },
    [times, ...order.map((i) => sums[i])],
    place,
  )
  if (given.links) {
    place.classList.add('leads')
    plot.over.addEventListener('click', () => open(plot, given, sums, isStacked))
  }
  return plot
}

const places = [...document.querySelectorAll('[data-plot]')]
let plots = []

function drawAll() {
  for (const plot of plots) plot.destroy()
  plots = places.map(draw)
}

drawAll()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)
new ResizeObserver(() => {
  for (const [i, plot] of plots.entries()) {
    const { clientWidth: width } = places[i]
    if (width !== plot.width) plot.setSize({ width, height: places[i].clientHeight })
  }
}).observe(document.querySelector('main'))
