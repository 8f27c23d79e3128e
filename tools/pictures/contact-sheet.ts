// Draws docs/images/filters.webp and overlays.webp, one tile for each filter and overlay with its defaults, and
// writes docs/images.md with the table of their parameters. Run it after a change: `npm run contact-sheet`.
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, type ParameterFacts } from '../../packages/images/catalogue.ts'
import { filters } from '../../packages/images/filters/index.ts'
import { overlays } from '../../packages/images/overlays/index.ts'
import { drawText } from '../../packages/images/overlays/text.ts'
import { perform } from '../../packages/images/perform.ts'
import type { Effect } from '../../packages/images/declaration.ts'
import type { Picture } from '../../packages/images/codec/picture.ts'
import { drawLandscape } from './sample-landscape.ts'
import { drawPortrait } from './sample-portrait.ts'

const TILE = 270
const LABEL = 40
const COLUMNS = 6
const GAP = 18
const FOLDER = new URL('../../docs/', import.meta.url)

/** Parameters for overlays that would show nothing by default. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  album: { title: 'Harbour lights', artist: 'The Quiet Hours', album: 'Low tide' },
  caption: { top: 'One does not simply', bottom: 'stop at one song' },
  polaroid: { text: 'summer, up north' },
  quote: { text: 'Good music needs no words.', author: 'a member in the queue' },
  split: { first: 'before', second: 'after' },
}

const LANDSCAPES = new Set(['album', 'filmstrip', 'frame', 'polaroid', 'postage', 'rain', 'rainbow', 'snow', 'caption'])

await mkdir(new URL('images/', FOLDER), { recursive: true })
await writeSheet('filters', filters)
await writeSheet('overlays', overlays)
await writeFile(new URL('images.md', FOLDER), reference())

async function writeSheet(name: string, effects: readonly Effect[]): Promise<void> {
  const rows = Math.ceil(effects.length / COLUMNS)
  const sheet = createCanvas(GAP + COLUMNS * (TILE + GAP), GAP + rows * (TILE + LABEL + GAP))
  const pen = sheet.getContext('2d')
  pen.fillStyle = '#1c1d22'
  pen.fillRect(0, 0, sheet.width, sheet.height)
  for (const [i, effect] of effects.entries()) {
    const x = GAP + (i % COLUMNS) * (TILE + GAP)
    const y = GAP + Math.floor(i / COLUMNS) * (TILE + LABEL + GAP)
    await drawTile(pen, effect, { x, y })
  }
  const bytes = await sheet.encode('webp', 88)
  await writeFile(new URL(`images/${name}.webp`, FOLDER), bytes)
  console.log(`${name}: ${effects.length}, ${Math.round(bytes.length / 1024)} KiB`)
}

async function drawTile(pen: SKRSContext2D, effect: Effect, { x, y }: { x: number; y: number }): Promise<void> {
  const params = effect.params.parse(SHOWN[effect.name] ?? {})
  const { width, height, frames } = await perform(effect, samplesFor(effect), params)
  const middle = frames[Math.floor(frames.length / 2)]!
  const tile = createCanvas(width, height)
  const pixels = tile.getContext('2d').createImageData(width, height)
  pixels.data.set(middle.data)
  tile.getContext('2d').putImageData(pixels, 0, 0)
  const scale = Math.min(TILE / width, TILE / height)
  const [wide, high] = [width * scale, height * scale]
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(tile, x + (TILE - wide) / 2, y + (TILE - high) / 2, wide, high)
  drawText(
    pen,
    effect.name,
    { x, y: y + TILE + 4, width: TILE, height: LABEL - 10 },
    {
      face: 'plain',
      sizePx: 19,
      colour: '#d9dbe3',
      maxLines: 1,
    },
  )
}

function samplesFor(effect: Effect): readonly Picture[] {
  const portrait = samplePicture(drawPortrait)
  const landscape = samplePicture(drawLandscape)
  if (effect.inputs === 2) return [portrait, landscape]
  return LANDSCAPES.has(effect.name) ? [landscape] : [portrait]
}

function samplePicture(draw: (pen: SKRSContext2D, edge: number) => void): Picture {
  const edge = 512
  const canvas = createCanvas(edge, edge)
  draw(canvas.getContext('2d'), edge)
  const { data } = canvas.getContext('2d').getImageData(0, 0, edge, edge)
  const frame = { width: edge, height: edge, data: new Uint8Array(data.buffer) }
  return { width: edge, height: edge, frames: [frame], delaysMs: [], plays: 0 }
}

function reference(): string {
  return [
    '# Image filters and overlays',
    '',
    'Drawn by code, as are the samples. `npm run contact-sheet` makes this page from `packages/images/`.',
    '',
    ...section('Filters', 'filters', filters),
    ...section('Overlays', 'overlays', overlays),
  ].join('\n')
}

function section(title: string, path: string, effects: readonly Effect[]): readonly string[] {
  return [
    `## ${title}`,
    '',
    `${effects.length}, by \`GET /v1/image/${path}/{name}?url=…\`, or POST with the picture:`,
    '',
    `![All ${path} with their names](images/${path}.webp)`,
    '',
    '| Name | What it does | Parameters (default) |',
    '|---|---|---|',
    ...effects.map((effect) => `| \`${effect.name}\` | ${effect.summary} | ${parametersOf(effect)} |`),
    '',
  ]
}

function parametersOf(effect: Effect): string {
  const lines = describe(effect).parameters.map((parameter) => {
    const preset = parameter.default === '' ? 'none' : `\`${String(parameter.default)}\``
    return `\`${parameter.name}\`${rangeOf(parameter)} (${preset}). ${parameter.description}`
  })
  return lines.length > 0 ? lines.join('<br>') : 'none'
}

/** The allowed values; the default of a colour shows its form. */
function rangeOf({ type, values, minimum, maximum, maxLength }: ParameterFacts): string {
  if (values) return `: ${values.map((value) => `\`${value}\``).join(', ')}`
  if (minimum !== undefined) return `: ${minimum}…${maximum}`
  if (maxLength !== undefined) return `: ≤ ${maxLength} characters`
  return type === 'boolean' ? ': yes/no' : ''
}
