import type { Vec } from './vectors.ts'

export type ArmWidth = 'classic' | 'slim'
export type PartName = 'head' | 'body' | 'rightArm' | 'leftArm' | 'rightLeg' | 'leftLeg' | 'cape'

/** The corner of a box on a skin: the six sides lie around it as a cut-out sheet. */
type Corner = readonly [u: number, v: number]

export interface Part {
  readonly name: PartName
  /** The joint that it turns around, in a figure that stands on y = 0 and looks along +z. */
  readonly pivot: Vec
  /** The corner with the least x, y and z, from the pivot. */
  readonly from: Vec
  readonly size: Vec
  readonly skin: Corner
  /** The second layer, and how far it stands off. */
  readonly layer: { readonly skin: Corner; readonly off: number } | null
}

/** A rectangle of the skin, in its pixels of ordinary size. */
export interface Patch {
  readonly u: number
  readonly v: number
  readonly width: number
  readonly height: number
}

export type Side = 'front' | 'back' | 'right' | 'left' | 'top' | 'bottom'

/** Returns the patches of a box's sides on the skin. `right` and `left` are those of the figure. */
export function patchesOf([u, v]: Corner, [width, height, depth]: Vec): Readonly<Record<Side, Patch>> {
  return {
    top: { u: u + depth, v, width, height: depth },
    bottom: { u: u + depth + width, v, width, height: depth },
    right: { u, v: v + depth, width: depth, height },
    front: { u: u + depth, v: v + depth, width, height },
    left: { u: u + depth + width, v: v + depth, width: depth, height },
    back: { u: u + depth + width + depth, v: v + depth, width, height },
  }
}

// Second layers stand off by different amounts, so that no two of them lie in one plane where parts meet.
const LAYER = { head: 0.5, body: 0.28, arm: 0.26, leg: 0.24 } as const

/** The figure without a cape. */
export function bodyParts(arms: ArmWidth): readonly Part[] {
  const wide = arms === 'slim' ? 3 : 4
  const arm = { size: [wide, 12, 4] as Vec }
  const leg = { size: [4, 12, 4] as Vec, from: [-2, -12, -2] as Vec }
  return [
    {
      name: 'head',
      pivot: [0, 24, 0],
      from: [-4, 0, -4],
      size: [8, 8, 8],
      skin: [0, 0],
      layer: { skin: [32, 0], off: LAYER.head },
    },
    {
      name: 'body',
      pivot: [0, 12, 0],
      from: [-4, 0, -2],
      size: [8, 12, 4],
      skin: [16, 16],
      layer: { skin: [16, 32], off: LAYER.body },
    },
    {
      ...arm,
      name: 'rightArm',
      pivot: [-5, 22, 0],
      from: [1 - wide, -10, -2],
      skin: [40, 16],
      layer: { skin: [40, 32], off: LAYER.arm },
    },
    {
      ...arm,
      name: 'leftArm',
      pivot: [5, 22, 0],
      from: [-1, -10, -2],
      skin: [32, 48],
      layer: { skin: [48, 48], off: LAYER.arm },
    },
    {
      ...leg,
      name: 'rightLeg',
      pivot: [-2, 12, 0],
      skin: [0, 16],
      layer: { skin: [0, 32], off: LAYER.leg },
    },
    {
      ...leg,
      name: 'leftLeg',
      pivot: [2, 12, 0],
      skin: [16, 48],
      layer: { skin: [0, 48], off: LAYER.leg },
    },
  ]
}

/** Hung turned around, so that the side which is drawn as its front looks backwards. */
export const CAPE: Part = {
  name: 'cape',
  pivot: [0, 24, -2],
  from: [-5, -16, 0],
  size: [10, 16, 1],
  skin: [0, 0],
  layer: null,
}
