import type { PoseSpec } from '../model/poses.ts'
import { chain, rotated, type Placement, type Vec } from '../model/vectors.ts'

/** The view from `eye`, x to the right and y down in pixels of the picture. */
export interface Camera {
  /** The point in front of the figure from which it is seen, along -z. */
  readonly eye: Vec
  /** Pixels for a unit at distance 1. */
  readonly zoom: number
  /** The point where the line of sight meets the picture. */
  readonly centre: readonly [x: number, y: number]
}

/** Far enough to make no difference between near and far. */
const FAR = 20_000
/** Around the figure, as a share of the picture's shorter side. */
const MARGIN = 0.035

/** The viewer's rotation of the figure. */
export function viewOf({ camera: { around, above }, upsideDown }: PoseSpec): Placement {
  const turned = chain(rotated('x', above), rotated('y', -around))
  return upsideDown ? chain(turned, rotated('z', 180)) : turned
}

/** The camera whose picture the corners fill, as far as they are not cropped. */
export function frame(all: readonly Vec[], spec: PoseSpec, scale: number): Camera {
  const corners = spec.crop === undefined ? all : all.map(([x, y, z]): Vec => [x, Math.max(y, spec.crop ?? 0), z])
  const [width, height] = [spec.width * scale, spec.height * scale]
  const middle = [0, 1, 2].map((axis) => midrange(corners.map((corner) => corner[axis]!)))
  const eye: Vec = [middle[0]!, middle[1]!, middle[2]! + (spec.camera.distance ?? FAR)]
  const seen = corners.map(([x, y, z]) => [(x - eye[0]) / (eye[2] - z), (eye[1] - y) / (eye[2] - z)] as const)
  const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)]
  const room = 2 * MARGIN * Math.min(width, height)
  const zoom = Math.min((width - room) / extent(xs), (height - room) / extent(ys))
  return { eye, zoom, centre: [width / 2 - zoom * midrange(xs), height / 2 - zoom * midrange(ys)] }
}

function midrange(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2
}

function extent(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}
