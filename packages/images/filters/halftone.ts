import { z } from 'zod'
import { filter } from '../declaration.ts'
import { channelsOf, colour, whole } from '../params.ts'
import type { Frame } from '../codec/picture.ts'
import { blank, brightness, pointsOf } from '../codec/pixels.ts'

export const halftone = filter('halftone', 'Print in dots, like a newspaper', {
  params: z.object({
    size: whole({ min: 3, max: 40, default: 8, about: 'Distance of the dots in pixels.' }),
    ink: colour({ default: '#111111', about: 'Colour of the dots.' }),
    paper: colour({ default: '#fdf6e3', about: 'Colour of the background.' }),
  }),
  run: (frame, { size, ink, paper }) => dots(frame, size, [channelsOf(ink), channelsOf(paper)]),
})

/** Dots on a grid that is turned by 45 degrees, soft at their edges; each as large as its square is dark. */
function dots(frame: Frame, size: number, [ink, paper]: readonly [number[], number[]]): Frame {
  const { width, height } = frame
  const out = blank(frame)
  const source = pointsOf(frame)
  const target = pointsOf(out)
  const grid = gridOf(frame, size)
  const radii = radiiOf(frame, grid)
  const mixes = Uint32Array.from({ length: 256 }, (_, share) =>
    paper.reduce((sum, from, c) => sum | (Math.round(from + (((ink[c] ?? 0) - from) * share) / 255) << (8 * c)), 0),
  )
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const across = (x + y) * grid.step
      const along = (y - x) * grid.step + grid.first
      const column = across | 0
      const row = along | 0
      const u = across - column - 0.5
      const v = along - row - 0.5
      const radius = radii[row * grid.columns + column] as number
      const covered = radius - Math.sqrt(u * u + v * v) * size + 0.5
      const share = covered <= 0 ? 0 : covered >= 1 ? 255 : (covered * 255) | 0
      target[at] = (mixes[share] as number) | ((source[at] as number) & 0xff000000)
    }
  }
  return out
}

interface Grid {
  readonly size: number
  readonly columns: number
  readonly rows: number
  /** The way of one pixel in x or y along the grid, in squares. */
  readonly step: number
  /** The row of squares in the upper left corner. */
  readonly first: number
}

function gridOf({ width, height }: Frame, size: number): Grid {
  const step = Math.SQRT1_2 / size
  const columns = Math.ceil((width + height) * step) + 1
  const first = Math.ceil(width * step)
  return { size, columns, rows: first + Math.ceil(height * step) + 1, step, first }
}

/** Radii of the dots, in pixels. Dots of full ink just cover their square. */
function radiiOf(frame: Frame, { size, columns, rows, step, first }: Grid): Float32Array {
  const { width, height, data } = frame
  const light = new Uint32Array(columns * rows)
  const count = new Uint32Array(columns * rows)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at + 3] === 0) continue
      const square = (((y - x) * step + first) | 0) * columns + (((x + y) * step) | 0)
      light[square] = (light[square] as number) + brightness(data, at)
      count[square] = (count[square] as number) + 1
    }
  }
  return Float32Array.from(light, (sum, square) => {
    const darkness = 1 - sum / Math.max(1, count[square] as number) / 255
    return Math.sqrt(darkness) * size * Math.SQRT1_2
  })
}
