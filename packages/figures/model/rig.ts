import { bodyParts, CAPE, type ArmWidth, type Part, type PartName } from './model.ts'
import type { Bearing, Limb, PoseSpec } from './poses.ts'
import { chain, moved, rotated, type Placement, type Vec } from './vectors.ts'

/** A box of the figure where the pose puts it, before the viewer chooses where to look from. */
export interface PosedBox {
  readonly part: Part
  readonly placement: Placement
  /** The half of a bent limb; null: the whole part. */
  readonly half: 'upper' | 'lower' | null
  /** The overlap with the part that it hangs on, for each unit of half its depth. */
  readonly above: number
  /** The overlap of an upper half beyond the joint, likewise. */
  readonly below: number
}

const LEAST_BEND = 0.5
/** A leg swung further than this sits, and leaves no crack in front of the hip. */
const MOST_SWING = 45

/** All boxes of a figure in a pose, right side up, standing where a straight figure would stand. */
export function pose(spec: PoseSpec, arms: ArmWidth, hasCape: boolean): readonly PosedBox[] {
  const parts = hasCape ? [...bodyParts(arms), CAPE] : bodyParts(arms)
  const trunk = bodyPlacement(spec.body ?? {})
  const shown = spec.only ? parts.filter(({ name }) => spec.only?.includes(name)) : parts
  return shown.flatMap((part) => boxesOf(part, spec, trunk))
}

function boxesOf(part: Part, spec: PoseSpec, trunk: Placement): readonly PosedBox[] {
  switch (part.name) {
    case 'body':
      return [whole(part, chain(moved(part.pivot), trunk))]
    case 'head':
      return [whole(part, chain(onTrunk(part, trunk), bearing(spec.head ?? {})))]
    case 'cape':
      return [whole(part, chain(onTrunk(part, trunk), rotated('x', spec.cape ?? 0), rotated('y', 180)))]
    case 'rightArm':
    case 'leftArm':
      return limb(part, onTrunk(part, trunk), spec[part.name] ?? {})
    case 'rightLeg':
    case 'leftLeg':
      return limb(part, moved(part.pivot), spec[part.name] ?? {})
  }
}

const HIP: Vec = [0, 12, 0]

function onTrunk({ pivot }: Part, trunk: Placement): Placement {
  return chain(moved(HIP), trunk, moved([pivot[0] - HIP[0], pivot[1] - HIP[1], pivot[2] - HIP[2]]))
}

function bodyPlacement({ turn = 0, nod = 0, tilt = 0 }: Bearing): Placement {
  return chain(rotated('z', -tilt), rotated('x', nod), rotated('y', turn))
}

function bearing({ turn = 0, nod = 0, tilt = 0 }: Bearing): Placement {
  return chain(rotated('z', -tilt), rotated('y', turn), rotated('x', nod))
}

function whole(part: Part, placement: Placement): PosedBox {
  return { part, placement, half: null, above: 0, below: 0 }
}

/** The corners of a box with the least and the most x, y and z, in the space of its placement. */
export function extentOf({ part, half, above, below }: PosedBox, off: number): readonly [least: Vec, most: Vec] {
  const { from, size } = part
  const depth = size[2] / 2 + off
  const joint = from[1] + size[1] / 2
  const top = half === 'lower' ? joint : from[1] + size[1] + off
  const bottom = half === 'upper' ? joint : from[1] - off
  return [
    [from[0] - off, bottom - below * depth, from[2] - off],
    [from[0] + size[0] + off, top + above * depth, from[2] + size[2] + off],
  ]
}

/**
 * A bent limb is two boxes that turn against each other in the middle of the joint. Both reach on to where their outer
 * sides meet, so that no crack opens there; what is too long on the inner side is hidden in the other half. A leg that
 * swings reaches into the trunk for the same reason.
 */
function limb(part: Part, root: Placement, { forward = 0, out = 0, twist = 0, bend = 0 }: Limb): PosedBox[] {
  const side = part.name.startsWith('right') ? -1 : 1
  const placement = chain(root, rotated('z', side * out), rotated('x', -forward), rotated('y', side * twist))
  const above = isArm(part.name) || Math.abs(forward) > MOST_SWING ? 0 : tangent(Math.abs(forward))
  if (bend < LEAST_BEND) return [{ ...whole(part, placement), above }]
  const reach = tangent(bend / 2)
  const joint: Vec = [0, part.from[1] + part.size[1] / 2, part.from[2] + part.size[2] / 2]
  const back: Vec = [-joint[0], -joint[1], -joint[2]]
  // An elbow brings the hand forwards, a knee the foot backwards.
  const swing = isArm(part.name) ? -bend : bend
  const lower = chain(placement, moved(joint), rotated('x', swing), moved(back))
  return [
    { part, placement, half: 'upper', above, below: reach },
    { part, placement: lower, half: 'lower', above: reach, below: 0 },
  ]
}

function tangent(degrees: number): number {
  return Math.tan((degrees * Math.PI) / 180)
}

function isArm(name: PartName): boolean {
  return name.endsWith('Arm')
}
