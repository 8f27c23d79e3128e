// x to the viewer's right of a figure that faces them, y up, z towards them. One unit is one pixel of an ordinary skin.

export type Vec = readonly [x: number, y: number, z: number]

/** A rotation, by rows, and a shift after it. */
export interface Placement {
  readonly rows: readonly [Vec, Vec, Vec]
  readonly at: Vec
}

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const subtract = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const scaled = (a: Vec, by: number): Vec => [a[0] * by, a[1] * by, a[2] * by]
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const unit = (a: Vec): Vec => scaled(a, 1 / Math.sqrt(dot(a, a)))

/** Turns a direction. */
export const turn = ({ rows }: Placement, v: Vec): Vec => [dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)]
/** Turns and moves a point. */
export const place = (placement: Placement, v: Vec): Vec => add(turn(placement, v), placement.at)
/** The direction that `turn` makes of `v`'s like, backwards. */
export const unturn = ({ rows: [a, b, c] }: Placement, v: Vec): Vec =>
  add(add(scaled(a, v[0]), scaled(b, v[1])), scaled(c, v[2]))

const STILL: Placement = {
  rows: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  at: [0, 0, 0],
}

/** All of them, the last one first, as in a product of matrices. */
export function chain(...placements: readonly Placement[]): Placement {
  return placements.reduce((outer, inner) => {
    const columns = [0, 1, 2].map((i) => turn(outer, [inner.rows[0][i]!, inner.rows[1][i]!, inner.rows[2][i]!]))
    const row = (i: number): Vec => [columns[0]![i]!, columns[1]![i]!, columns[2]![i]!]
    return { rows: [row(0), row(1), row(2)], at: place(outer, inner.at) }
  }, STILL)
}

export const moved = (at: Vec): Placement => ({ ...STILL, at })

/** Around the axis, in degrees; what the axis points at sees it go against the clock. */
export function rotated(axis: 'x' | 'y' | 'z', degrees: number): Placement {
  const c = Math.cos((degrees * Math.PI) / 180)
  const s = Math.sin((degrees * Math.PI) / 180)
  const rows: Record<typeof axis, Placement['rows']> = {
    x: [
      [1, 0, 0],
      [0, c, -s],
      [0, s, c],
    ],
    y: [
      [c, 0, s],
      [0, 1, 0],
      [-s, 0, c],
    ],
    z: [
      [c, -s, 0],
      [s, c, 0],
      [0, 0, 1],
    ],
  }
  return { rows: rows[axis], at: [0, 0, 0] }
}
