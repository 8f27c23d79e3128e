import type { Face, Scene, Solid } from '../model/faces.ts'
import { add, dot, place, scaled, subtract, unit, unturn, type Vec } from '../model/vectors.ts'
import type { Texels } from '../skin/texture.ts'

/** The brightness of a face, at the crossings of a grid that lies over it. */
export interface LightMap {
  readonly columns: number
  readonly rows: number
  /** (columns + 1) × (rows + 1), in rows; 1 leaves colours as they are. */
  readonly values: Float32Array
}

const KEY = unit([-0.5, 0.78, 0.72])
const SKY_STRENGTH = 0.7
const KEY_STRENGTH = 0.6
const VIEWER_STRENGTH = 0.13
/** Light reflected by the surroundings: no corner is black. */
const BOUNCE = 0.24
/** The brightness that a covering second layer takes from its surroundings. */
const LAYER_SHADE = 0.3
/** Crossings of the grid for each unit of length; between them light changes evenly. */
const CELLS_PER_UNIT = 1
/** Maximum distance, beyond which nothing casts a shadow. */
const REACH = 14
/** Points are looked at a little off their face, so that it does not shade itself. */
const LIFT = 0.06

interface Ray {
  readonly towards: Vec
  readonly weight: number
}

/** Light from all around, more from above: open points are bright, corners are not. */
const SKY: readonly Ray[] = spread(72).map((towards) => ({ towards, weight: 0.72 + 0.28 * towards[1] }))
/** A lamp as wide as a window, whose shadows have soft edges. */
const LAMP: readonly Ray[] = spread(96)
  .filter((towards) => dot(towards, KEY) > 0.955)
  .map((towards) => ({ towards, weight: 1 }))

const RAYS = [...SKY, ...LAMP]

/** Light and shadow of every face that can be seen. */
export function lightUp({ solids }: Scene, faces: readonly Face[]): readonly LightMap[] {
  const blockers = solids.map(createBlocker)
  return faces.map((face) => {
    const others = blockers.filter((blocker, box) => box !== face.box && blocker.standsBefore(face))
    return mapOf(face, others)
  })
}

function mapOf(face: Face, blockers: readonly Blocker[]): LightMap {
  const columns = cellsAlong(face.along)
  const rows = cellsAlong(face.down)
  const values = new Float32Array((columns + 1) * (rows + 1))
  const lit = createMeter(face.normal)
  for (let i = 0; i < values.length; i++) {
    const x = (i % (columns + 1)) / columns
    const y = Math.floor(i / (columns + 1)) / rows
    const point = add(face.corner, add(scaled(face.along, inside(x)), scaled(face.down, inside(y))))
    values[i] = lit(add(point, scaled(face.normal, LIFT)), blockers) * (1 - underLayer(face.covered, x, y))
  }
  return { columns, rows, values }
}

function cellsAlong(edge: Vec): number {
  return Math.max(1, Math.round(Math.sqrt(dot(edge, edge)) * CELLS_PER_UNIT))
}

/** Not quite at the edge, where a neighbour's side would count as in front. */
function inside(share: number): number {
  return 0.004 + share * 0.992
}

/** Measures the brightness of points of a face with this normal. */
function createMeter(normal: Vec): (point: Vec, blockers: readonly Blocker[]) => number {
  const cosines = Float64Array.from(RAYS, ({ towards }) => dot(towards, normal))
  const keyShare = Math.max(0, dot(normal, KEY)) / LAMP.length
  const constant = VIEWER_STRENGTH * Math.max(0, normal[2])
  return (point, blockers) => {
    for (const blocker of blockers) blocker.lookFrom(point)
    let sky = 0
    let lamp = 0
    for (let ray = 0; ray < RAYS.length; ray++) {
      if (cosines[ray]! <= 0) continue
      const isLamp = ray >= SKY.length
      if (isLamp && keyShare === 0) break
      let open = 1
      for (let i = 0; i < blockers.length && open > 0; i++) open *= blockers[i]!.openness(ray)
      if (isLamp) lamp += open
      else sky += (BOUNCE + (1 - BOUNCE) * open) * cosines[ray]! * RAYS[ray]!.weight
    }
    return constant + (SKY_STRENGTH * sky * 4) / SKY.length + KEY_STRENGTH * lamp * keyShare
  }
}

type Blocker = ReturnType<typeof createBlocker>

function createBlocker({ placement, least, most }: Solid) {
  const directions = Float64Array.from(RAYS.flatMap(({ towards }) => unturn(placement, towards)))
  const inverses = directions.map((each) => 1 / (Math.abs(each) < 1e-9 ? 1e-9 : each))
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
    place(placement, [pick(bits, 1, least, most), pick(bits, 2, least, most), pick(bits, 4, least, most)]),
  )
  let [ax, ay, az, bx, by, bz] = [0, 0, 0, 0, 0, 0]
  return {
    /** Whether any of it is on the side that the face looks to. */
    standsBefore: ({ corner, normal }: Face) => corners.some((each) => dot(subtract(each, corner), normal) > LIFT),
    lookFrom(point: Vec) {
      const at = unturn(placement, subtract(point, placement.at))
      ax = least[0] - at[0]
      ay = least[1] - at[1]
      az = least[2] - at[2]
      bx = most[0] - at[0]
      by = most[1] - at[1]
      bz = most[2] - at[2]
    },
    /** 1: the ray passes; 0: it ends close by; distant blockers let some of it through. */
    openness(ray: number) {
      const x = inverses[ray * 3]!
      const y = inverses[ray * 3 + 1]!
      const z = inverses[ray * 3 + 2]!
      const enter = Math.max(Math.min(ax * x, bx * x), Math.min(ay * y, by * y), Math.min(az * z, bz * z))
      const leave = Math.min(Math.max(ax * x, bx * x), Math.max(ay * y, by * y), Math.max(az * z, bz * z))
      if (leave <= 0 || enter >= leave || enter >= REACH) return 1
      return enter <= 0 ? 0 : enter / REACH
    },
  }
}

function pick(bits: number, bit: number, least: Vec, most: Vec): number {
  const axis = bit >> 1
  return bits & bit ? most[axis]! : least[axis]!
}

/** The brightness that the second layer around a point takes away: a soft edge under hair, hems and sleeves. */
function underLayer(layer: Texels | null, x: number, y: number): number {
  if (!layer) return 0
  const { columns, rows, colours } = layer
  const each = columns / Math.max(1, Math.round(columns / 8))
  let around = 0
  for (let i = 0; i < 4; i++) {
    const column = Math.floor(x * columns + (i % 2 === 0 ? -0.5 : 0.5) * each)
    const row = Math.floor(y * rows + (i < 2 ? -0.5 : 0.5) * each)
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue
    around += colours[row * columns + column]! >>> 24
  }
  return (LAYER_SHADE * around) / (4 * 255)
}

/** Directions that are evenly spread over a ball. */
function spread(count: number): readonly Vec[] {
  const golden = Math.PI * (3 - Math.sqrt(5))
  return Array.from({ length: count }, (_, i) => {
    const y = 1 - (2 * i + 1) / count
    const radius = Math.sqrt(1 - y * y)
    return [radius * Math.cos(golden * i), y, radius * Math.sin(golden * i)]
  })
}
