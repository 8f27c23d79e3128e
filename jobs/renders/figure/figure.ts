import { frame, viewOf } from './camera.ts'
import { buildScene } from './faces.ts'
import { lightUp } from './light.ts'
import type { ArmWidth } from './model.ts'
import { POSE_SPECS, type Pose } from './poses.ts'
import { rasterise, type Pixels } from './rasterise.ts'
import { pose } from './rig.ts'
import type { Texture } from './texture.ts'
import { visibleFaces } from './visible.ts'

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
  const spec = POSE_SPECS[name]
  const scene = buildScene(pose(spec, arms, cape !== null), viewOf(spec), { skin, cape })
  const camera = frame(scene.corners, spec, scale)
  const faces = visibleFaces(scene.faces, camera.eye)
  const lights = lightUp(scene, faces)
  return rasterise(faces, lights, camera, { width: spec.width * scale, height: spec.height * scale })
}
