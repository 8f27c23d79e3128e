import type { Face } from '../model/faces.ts'
import { dot, scaled, subtract, type Vec } from '../model/vectors.ts'

/** The faces that an eye may see, nearest first. Of a layer with holes also the inside, which light falls on as well. */
export function visibleFaces(faces: readonly Face[], eye: Vec): readonly Face[] {
  const shown = faces.flatMap((face): Face[] => {
    if (!face.texels.shows) return []
    if (dot(subtract(face.corner, eye), face.normal) < 0) return [face]
    return face.isOpen ? [{ ...face, normal: scaled(face.normal, -1) }] : []
  })
  const distances = new Map(shown.map((face) => [face, nearestOf(face, eye)]))
  return shown.toSorted((a, b) => distances.get(a)! - distances.get(b)!)
}

/** The distance from the eye to the nearest corner of a face, along the line of sight. */
export function nearestOf({ corner, along, down }: Face, eye: Vec): number {
  return eye[2] - corner[2] - Math.max(0, along[2], down[2], along[2] + down[2])
}
