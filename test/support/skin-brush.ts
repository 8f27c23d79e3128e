import {
  bodyParts,
  CAPE,
  patchesOf,
  type ArmWidth,
  type Part,
  type PartName,
  type Patch,
  type Side,
} from '../../packages/figures/model/model.ts'
import type { Texture } from '../../packages/figures/skin/texture.ts'

/** A rectangle on one side of a part, from its upper left corner; defaults to the whole side. */
interface Spot {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
}

interface Place {
  readonly part: PartName
  readonly sides: readonly Side[]
  readonly isLayer?: boolean
}

/** Paints a skin or a cape pixel by pixel. Colours are `#rrggbb` or `#rrggbbaa`. */
export interface SkinBrush {
  /** One colour, a little uneven like cloth when `grain` (0 to 1) is given. */
  paint(place: Place, colour: string, spot?: Spot, grain?: number): void
  /** Rows of letters, one for each pixel, from the upper left; a space leaves what is there. */
  draw(place: Place, rows: readonly string[], colours: Readonly<Record<string, string>>): void
  readonly texture: Texture
}

const EDGE = 64
const AROUND = ['front', 'back', 'left', 'right'] as const satisfies readonly Side[]
export const ALL_SIDES = [...AROUND, 'top', 'bottom'] as const satisfies readonly Side[]

export function createSkinBrush(arms: ArmWidth): SkinBrush {
  return createBrush(bodyParts(arms), EDGE)
}

export function createCapeBrush(): SkinBrush {
  return createBrush([CAPE], EDGE / 2)
}

function createBrush(parts: readonly Part[], height: number): SkinBrush {
  const rgba = new Uint8Array(EDGE * height * 4)
  const dot = (x: number, y: number, [red, green, blue, alpha]: Colour): void => {
    rgba.set([red, green, blue, alpha], (y * EDGE + x) * 4)
  }
  const patchesAt = ({ part: name, sides, isLayer = false }: Place) => {
    const part = parts.find((each) => each.name === name)
    const corner = isLayer ? part?.layer?.skin : part?.skin
    if (!part || !corner) throw new Error(`There is no ${name} to paint.`)
    const patches = patchesOf(corner, part.size)
    return sides.map((side) => patches[side])
  }
  return {
    texture: { width: EDGE, height, rgba },
    paint(place, colour, { x = 0, y = 0, width = EDGE, height = EDGE } = {}, grain = 0) {
      const even = read(colour)
      for (const patch of patchesAt(place)) {
        overRectangle(patch, { x, y, width, height }, (u, v) =>
          dot(u, v, uneven(even, 1 + grain * (noise(u, v) - 0.5))),
        )
      }
    },
    draw(place, rows, colours) {
      for (const patch of patchesAt(place)) {
        overRectangle(patch, { x: 0, y: 0, width: EDGE, height: rows.length }, (u, v) => {
          const colour = colours[rows[v - patch.v]?.[u - patch.u] ?? '']
          if (colour !== undefined) dot(u, v, read(colour))
        })
      }
    },
  }
}

/** Every pixel of the skin in the part of a patch that a spot names. */
function overRectangle(patch: Patch, spot: Required<Spot>, each: (u: number, v: number) => void): void {
  for (let y = spot.y; y < Math.min(patch.height, spot.y + spot.height); y++) {
    for (let x = spot.x; x < Math.min(patch.width, spot.x + spot.width); x++) each(patch.u + x, patch.v + y)
  }
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

function read(colour: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 255] = (colour.slice(1).match(/../g) ?? []).map((hex) =>
    Number.parseInt(hex, 16),
  )
  return [red, green, blue, alpha]
}

function uneven([red, green, blue, alpha]: Colour, by: number): Colour {
  const part = (value: number) => Math.max(0, Math.min(255, Math.round(value * by)))
  return [part(red), part(green), part(blue), alpha]
}

/** The same for the same pixel always. */
function noise(x: number, y: number): number {
  const mixed = Math.imul(x * 374_761_393 + y * 668_265_263, 1_274_126_177)
  return ((mixed ^ (mixed >>> 15)) & 255) / 255
}
