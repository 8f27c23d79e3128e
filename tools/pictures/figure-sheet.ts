// Draws docs/images/figures.webp, every pose of both models, and writes docs/figures.md. Part of `npm run contact-sheet`.
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { mkdir, writeFile } from 'node:fs/promises'
import { drawText } from '../../packages/images/overlays/text.ts'
import { defaultSkin } from '../../packages/figures/skin/default-skin.ts'
import { drawFigure } from '../../packages/figures/figure.ts'
import type { ArmWidth } from '../../packages/figures/model/model.ts'
import { POSES, FACE_SIZE, POSE_SPECS, type Pose } from '../../packages/figures/model/poses.ts'
import { ALL_SIDES, createCapeBrush } from '../../test/support/skin-brush.ts'
import type { Texture } from '../../packages/figures/skin/texture.ts'

const TILE = { width: 250, height: 370 }
const LABEL = 40
const GAP = 14
const FOLDER = new URL('../../docs/', import.meta.url)

interface Row {
  readonly name: string
  readonly arms: ArmWidth
  readonly skin: Texture
  readonly cape: Texture | null
}

const ROWS: readonly Row[] = [
  { name: 'classic', arms: 'classic', skin: await defaultSkin('classic'), cape: null },
  {
    name: 'classic, with a cape',
    arms: 'classic',
    skin: await defaultSkin('classic'),
    cape: sampleCape('#5b2a86', '#f0c04a'),
  },
  { name: 'slim', arms: 'slim', skin: await defaultSkin('slim'), cape: null },
  { name: 'slim, with a cape', arms: 'slim', skin: await defaultSkin('slim'), cape: sampleCape('#1f4e5f', '#e8e2d0') },
]

const SHOWN: Readonly<Record<Pose, string>> = {
  head: 'The head alone, from above its left',
  face: 'The face, flat and without light, for a profile picture',
  bust: 'Head and shoulders, cut by the lower edge',
  body: 'Straight, seen from above at an angle, nothing smaller for being further away',
  front: 'Straight, exactly from the front, as flat as a playing card',
  wave: 'Waving with the right arm',
  sit: 'Sitting on an edge, hands on the knees',
  handstand: 'Standing on both hands, one knee bent',
  cutesit: 'Sitting on the ground, hands between the legs, head on one side',
  standing: 'Standing at ease',
  showing_behind: 'From behind, looking over the shoulder: shows a cape best',
}

await mkdir(new URL('images/', FOLDER), { recursive: true })
await writeFile(new URL('images/figures.webp', FOLDER), await drawSheet())
await writeFile(new URL('figures.md', FOLDER), reference())

async function drawSheet(): Promise<Buffer> {
  const width = GAP + POSES.length * (TILE.width + GAP)
  const sheet = createCanvas(width, GAP + ROWS.length * (TILE.height + LABEL + GAP))
  const pen = sheet.getContext('2d')
  pen.fillStyle = '#e7e8ee'
  pen.fillRect(0, 0, sheet.width, sheet.height)
  for (const [line, row] of ROWS.entries()) {
    for (const [column, pose] of POSES.entries()) {
      const corner = { x: GAP + column * (TILE.width + GAP), y: GAP + line * (TILE.height + LABEL + GAP) }
      drawTile(pen, row, pose, corner)
    }
  }
  const bytes = await sheet.encode('webp', 90)
  console.log(`figures: ${ROWS.length} × ${POSES.length}, ${Math.round(bytes.length / 1024)} KiB`)
  return bytes
}

function drawTile(pen: SKRSContext2D, { name, arms, skin, cape }: Row, pose: Pose, corner: { x: number; y: number }) {
  const { width, height, rgba } = drawFigure({ pose, scale: 2, arms, skin, cape })
  const canvas = createCanvas(width, height)
  const pixels = canvas.getContext('2d').createImageData(width, height)
  pixels.data.set(rgba)
  canvas.getContext('2d').putImageData(pixels, 0, 0)
  const scale = Math.min(TILE.width / width, TILE.height / height)
  const [wide, high] = [width * scale, height * scale]
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(canvas, corner.x + (TILE.width - wide) / 2, corner.y + TILE.height - high, wide, high)
  const place = { x: corner.x, y: corner.y + TILE.height + 6, width: TILE.width, height: LABEL - 12 }
  drawText(pen, pose === 'head' ? name : pose, place, { face: 'plain', sizePx: 19, colour: '#3b3e48', maxLines: 1 })
}

function sizeOf(pose: Pose): string {
  const { width, height } = pose === 'face' ? { width: FACE_SIZE, height: FACE_SIZE } : POSE_SPECS[pose]
  return `${width} × ${height}`
}

function sampleCape(cloth: string, sign: string): Texture {
  const brush = createCapeBrush()
  brush.paint({ part: 'cape', sides: ALL_SIDES }, cloth, {}, 0.12)
  brush.draw(
    { part: 'cape', sides: ['front'] },
    [
      '          ',
      ' ss    ss ',
      '  ss  ss  ',
      '   ssss   ',
      '    ss    ',
      '   ssss   ',
      '  ss  ss  ',
      ' ss    ss ',
      '',
      '',
      '',
      '',
      '',
      '',
      'ssssssssss',
    ],
    { s: sign },
  )
  return brush.texture
}

function reference(): string {
  return [
    '# Figures of the block game',
    '',
    'Made by `npm run contact-sheet` from `jobs/figures/`; edit that, or `tools/pictures/figure-sheet.ts`, not this page.',
    'Skins and capes on it were drawn for this project.',
    '',
    '![Every pose of both models, with and without a cape](images/figures.webp)',
    '',
    '`GET /v1/blockgame/render/{player}?render=…&scale=…` answers 202 with a job; its result is a PNG with a clear',
    'background. `skinUrl` and `capeUrl` replace what the player wears.',
    '',
    '| `render` | Pixels at `scale` 1 | What it shows |',
    '|---|---|---|',
    ...POSES.map((pose) => `| \`${pose}\` | ${sizeOf(pose)} | ${SHOWN[pose]} |`),
    '',
    '`scale` 2 to 4 multiplies both sides. Pixels of the skin stay sharp at each, edges are smoothed at each.',
    '',
    '- **Skins** are PNG files of 64 × 64 or, from before 2014, 64 × 32 pixels, or 2, 4 or 8 times that per edge, up to',
    '  1 MiB. One of the old size lends its right limbs to the left ones. Holes in a first layer are filled. Second layers',
    '  are left out where nothing of a skin is transparent.',
    '- **Arms** are as wide as the player has chosen; of a `skinUrl` as wide as the skin shows: narrow where nothing is',
    '  painted on what only wide arms have.',
    '- **Capes** are 64 × 32, 22 × 17 or 46 × 22 pixels, or multiples likewise.',
    '- **The same input gives the same bytes**, and a figure that was drawn lately is not drawn again.',
    '',
  ].join('\n')
}
