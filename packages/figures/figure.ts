import { frame, viewOf } from './raster/camera.ts'
import { buildScene } from './model/faces.ts'
import { drawFace } from './raster/face.ts'
import { lightUp } from './raster/light.ts'
import type { ArmWidth } from './model/model.ts'
import { FACE_SIZE, POSE_SPECS, type Pose } from './model/poses.ts'
import { rasterise, type Pixels } from './raster/rasterise.ts'
import { pose } from './model/rig.ts'
import type { Texture } from './skin/texture.ts'
import { visibleFaces } from './raster/visibility.ts'

/** Goes up with every change that changes a picture. */
export const FIGURE_VERSION = 1

export interface FigureSpec {
  readonly pose: Pose
  /** Times the size of the pose's picture. */
  readonly scale: number
  readonly arms: ArmWidth
  /** Square, as `wearable` makes it. */
  readonly skin: Texture
  readonly cape: Texture | null
}

/** Draws a figure. It needs nothing but the language, so it runs in a thread as well as in a page. */
export function drawFigure({ pose: name, scale, arms, skin, cape }: FigureSpec): Pixels {
  if (name === 'face') return drawFace(skin, FACE_SIZE * scale)
  const spec = POSE_SPECS[name]
  const scene = buildScene(pose(spec, arms, cape !== null), viewOf(spec), { skin, cape })
  const camera = frame(scene.corners, spec, scale)
  const faces = visibleFaces(scene.faces, camera.eye)
  const lights = lightUp(scene, faces)
  return rasterise(faces, lights, camera, { width: spec.width * scale, height: spec.height * scale })
}
