import { patchesOf, type Patch, type Side } from './model.ts'
import { extentOf, type PosedBox } from './rig.ts'
import { add, chain, place, subtract, turn, type Placement, type Vec } from './vectors.ts'
import type { Texels, Texture } from '../skin/texture.ts'

/** A rectangle in space, from the viewer's side, and its texture. */
export interface Face {
  /** The box that it belongs to. */
  readonly box: number
  /** The upper left corner of its picture, and from there along a row and down a column to the ends. */
  readonly corner: Vec
  readonly along: Vec
  readonly down: Vec
  /** Away from the box. */
  readonly normal: Vec
  readonly texels: Texels
  /** The rows of texels that it shows; half a limb shows little more than half of them. */
  readonly firstRow: number
  readonly lastRow: number
  /** Half a limb repeats its last row where it reaches beyond the joint. */
  readonly ownRows: readonly [first: number, last: number]
  /** Whether its box has holes through which the inside can be seen. */
  readonly isOpen: boolean
  /** The layer's picture over this face, whose edges darken it a little. */
  readonly covered: Texels | null
}

/** A box that light cannot pass. */
export interface Solid {
  readonly placement: Placement
  readonly least: Vec
  readonly most: Vec
}

export type Scene = ReturnType<typeof buildScene>

interface Paint {
  readonly skin: Texture
  readonly cape: Texture | null
}

/** The place of each side in its box: the corner where its picture begins, and the directions of rows and columns. */
const SIDES: Readonly<
  Record<Side, { readonly corner: Vec; readonly along: Vec; readonly down: Vec; readonly normal: Vec }>
> = {
  front: { corner: [0, 1, 1], along: [1, 0, 0], down: [0, -1, 0], normal: [0, 0, 1] },
  back: { corner: [1, 1, 0], along: [-1, 0, 0], down: [0, -1, 0], normal: [0, 0, -1] },
  right: { corner: [0, 1, 0], along: [0, 0, 1], down: [0, -1, 0], normal: [-1, 0, 0] },
  left: { corner: [1, 1, 1], along: [0, 0, -1], down: [0, -1, 0], normal: [1, 0, 0] },
  top: { corner: [0, 1, 0], along: [1, 0, 0], down: [0, 0, 1], normal: [0, 1, 0] },
  bottom: { corner: [0, 0, 0], along: [1, 0, 0], down: [0, 0, 1], normal: [0, -1, 0] },
}
const SIDE_NAMES = Object.keys(SIDES) as Side[]

/** The figure in the viewer's space. */
export function buildScene(boxes: readonly PosedBox[], view: Placement, paint: Paint) {
  const placed = boxes.map((box) => ({ ...box, placement: chain(view, box.placement) }))
  return {
    faces: placed.flatMap((box, index) => facesOf(box, index, paint)),
    solids: placed.map((box) => {
      const [least, most] = extentOf(box, 0)
      return { placement: box.placement, least, most }
    }),
    /** All corners, shown or not, which must fit the picture. */
    corners: placed.flatMap(cornersOf),
  }
}

function facesOf(box: PosedBox, index: number, { skin, cape }: Paint): readonly Face[] {
  const { part } = box
  const texture = part.name === 'cape' ? cape : skin
  if (!texture) return []
  const inner = patchesOf(part.skin, part.size)
  const outer = part.layer && patchesOf(part.layer.skin, part.size)
  return SIDE_NAMES.filter((side) => !isInJoint(box, side)).flatMap((side) => {
    const layer = outer && cutOut(texture, outer[side])
    const covered = layer?.shows ? layer : null
    const skin = cutOut(texture, inner[side])
    const isOpen = skin.hasHoles
    const faces: Face[] = [{ box: index, ...rectangle(box, side, 0, skin), texels: skin, isOpen, covered }]
    if (part.layer && covered) {
      const over = rectangle(box, side, part.layer.off, covered)
      faces.push({ box: index, ...over, texels: covered, isOpen: true, covered: null })
    }
    return faces
  })
}

function isInJoint({ half }: PosedBox, side: Side): boolean {
  return half === 'upper' ? side === 'bottom' : half === 'lower' && side === 'top'
}

type Rectangle = Pick<Face, 'corner' | 'along' | 'down' | 'normal' | 'firstRow' | 'lastRow' | 'ownRows'>

function rectangle(box: PosedBox, side: Side, off: number, texels: Texels): Rectangle {
  const [least, most] = extentOf(box, off)
  const size = subtract(most, least)
  const { corner, along, down, normal } = SIDES[side]
  const { placement, part, half } = box
  const isUpright = down[1] !== 0
  const top = part.from[1] + part.size[1] + off
  const rowsPerUnit = texels.rows / (part.size[1] + 2 * off)
  return {
    corner: place(placement, add(least, times(corner, size))),
    along: turn(placement, times(along, size)),
    down: turn(placement, times(down, size)),
    normal: turn(placement, normal),
    firstRow: isUpright ? (top - most[1]) * rowsPerUnit : 0,
    lastRow: isUpright ? (top - least[1]) * rowsPerUnit : texels.rows,
    ownRows: [
      isUpright && half === 'lower' ? texels.rows / 2 : 0,
      isUpright && half === 'upper' ? texels.rows / 2 - 1 : texels.rows - 1,
    ],
  }
}

function cornersOf(box: PosedBox): readonly Vec[] {
  const [least, most] = extentOf(box, box.part.layer?.off ?? 0)
  const size = subtract(most, least)
  return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
    place(box.placement, add(least, times([bits & 1, (bits >> 1) & 1, bits >> 2], size))),
  )
}

function times(a: Vec, b: Vec): Vec {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

function cutOut({ width, rgba }: Texture, patch: Patch): Texels {
  // Capes and skins are 64 units wide at any resolution.
  const each = width / 64
  const columns = patch.width * each
  const rows = patch.height * each
  const colours = new Int32Array(columns * rows)
  let shows = false
  let hasHoles = false
  for (let i = 0; i < colours.length; i++) {
    const x = patch.u * each + (i % columns)
    const y = patch.v * each + Math.floor(i / columns)
    const at = (y * width + x) * 4
    const alpha = rgba[at + 3]!
    if (alpha > 0) shows = true
    if (alpha < 255) hasHoles = true
    colours[i] = (alpha << 24) | (rgba[at + 2]! << 16) | (rgba[at + 1]! << 8) | rgba[at]!
  }
  return { columns, rows, colours, shows, hasHoles }
}
