import type { Camera } from '../raster/camera.ts'
import type { Face } from './faces.ts'
import { nearestOf } from '../raster/visibility.ts'
import type { LightMap } from '../raster/light.ts'
import { cross, dot, scaled, subtract, type Vec } from './vectors.ts'

/** The numbers of one face in `surfacesOf`: three linear functions of x and y, then single numbers. */
export const STRIDE = 18
export const DIVISOR = 0
export const ALONG = 3
export const DOWN = 6
export const NEARNESS = 9
/** The distance of what is nearest of it. */
export const NEAREST = 10
export const COLUMNS = 11
export const FIRST_ROW = 12
export const SHOWN_ROWS = 13
export const OWN_FIRST = 14
export const OWN_LAST = 15
export const LIGHT_COLUMNS = 16
export const LIGHT_ROWS = 17

/**
 * A ray from the eye through the point (x, y) meets the plane of a face at corner + along · a + down · b. By Cramer's
 * rule a and b are fractions with one divisor, all three linear in the ray, and the ray is linear in x and y. Signs are
 * such that the divisor is positive wherever the face is seen. Nearest faces come first.
 */
export function surfacesOf(faces: readonly Face[], lights: readonly LightMap[], camera: Camera): Float64Array {
  return Float64Array.from(faces.flatMap((face, i) => surfaceOf(face, lights[i]!, camera)))
}

function surfaceOf(face: Face, light: LightMap, { eye, zoom, centre }: Camera): readonly number[] {
  const { along, down, texels, firstRow, lastRow, ownRows } = face
  const corner = subtract(face.corner, eye)
  // Seen from within, a face is mirrored.
  const sign = Math.sign(dot(corner, cross(along, down)))
  const across = scaled(cross(along, down), sign)
  const linear = (v: Vec): Vec => {
    const [x, y] = [v[0] / zoom, -v[1] / zoom]
    return [x, y, -centre[0] * x - centre[1] * y - v[2]]
  }
  return [
    ...linear(across),
    ...linear(scaled(cross(down, corner), sign)),
    ...linear(scaled(cross(corner, along), sign)),
    dot(corner, across),
    nearestOf(face, eye),
    texels.columns,
    firstRow,
    lastRow - firstRow,
    ...ownRows,
    light.columns,
    light.rows,
  ]
}
