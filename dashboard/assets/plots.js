// Draws the plots; the tables beside them hold the same numbers.
import uPlot from './uplot.js'

const TONES = {
  accent: '--accent',
  warn: '--warn',
  bad: '--bad',
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
const times = {
  day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  minute: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
}

function timeOf(seconds, step) {
  return (step >= 86_400 ? times.day : times.minute).format(seconds * 1000)
}

/** A canvas knows no `light-dark()`, so an element is asked what a colour of the stylesheet comes to. */
function colour(name) {
  const probe = document.createElement('i')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Each line on top of those before it; the highest is drawn first, so that all of them are seen. */
function stacked(lines) {
  let below = lines[0]?.values.map(() => 0) ?? []
  const sums = lines.map(({ values }) => (below = below.map((sum, i) => sum + values[i])))
  return sums
}

function draw(place) {
  const { times, lines } = JSON.parse(place.dataset.plot)
  const isStacked = place.dataset.kind === 'stacked'
  const sums = isStacked ? stacked(lines) : lines.map(({ values }) => values)
  const order = isStacked ? lines.map((_, i) => lines.length - 1 - i) : lines.map((_, i) => i)
  const bars = uPlot.paths.bars({ size: [0.72, 28], radius: 0.15 })
  const soft = colour('--soft')
  const axis = { stroke: soft, font: '12px Geist, sans-serif', grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
  const series = order.map((i) => {
    const { name, tone, values } = lines[i]
    const stroke = colour(TONES[tone])
    const look = isStacked ? { fill: stroke, paths: bars, width: 0, points: { show: false } } : { width: 1.75, points: { show: false } }
    // What is shown is the line's own value, not what it is stacked to.
    return { label: name, stroke, ...look, value: (_, __, ___, at) => (at === null ? '–' : values[at].toLocaleString(lang)) }
  })
  place.replaceChildren()
  return new uPlot(
    {
      width: place.clientWidth,
      height: 240,
      padding: [12, 28, 0, 0],
      cursor: { y: false, points: { show: !isStacked } },
      scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, 4)] } },
      axes: [{ ...axis, grid: { show: false }, values: (...given) => given[1].map((at) => timeOf(at, given[4])) }, { ...axis, size: 48 }],
      series: [{ label: lang === 'de' ? 'Zeit' : 'Time', value: (_, at) => (at === null ? '–' : moment.format(at * 1000)) }, ...series],
      legend: { live: true },
    },
    [times, ...order.map((i) => sums[i])],
    place,
  )
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
    if (width !== plot.width) plot.setSize({ width, height: 240 })
  }
}).observe(document.querySelector('main'))
