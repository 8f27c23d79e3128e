import type { Camera } from '../raster/camera.ts'
import type { Face } from './faces.ts'
import { nearestOf } from '../raster/visibility.ts'
import { cross, dot, scaled, subtract, type Vec } from './vectors.ts'

/** The numbers of one face in `surfacesOf`: three linear functions of x and y, then two distances. */
export const STRIDE = 11
export const DIVISOR = 0
export const ALONG = 3
export const DOWN = 6
export const NEARNESS = 9
/** The offset of the nearest point's distance. */
export const NEAREST = 10

/**
 * A ray from the eye through the point (x, y) meets the plane of a face at corner + along · a + down · b. By Cramer's
 * rule a and b are fractions with one divisor, all three linear in the ray, and the ray is linear in x and y. Signs are
 * such that the divisor is positive wherever the face is seen. Nearest faces come first.
 */
export function surfacesOf(faces: readonly Face[], camera: Camera): Float64Array {
  return Float64Array.from(faces.flatMap((face) => surfaceOf(face, camera)))
}

function surfaceOf(face: Face, { eye, zoom, centre }: Camera): readonly number[] {
  const { along, down } = face
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
  ]
}
