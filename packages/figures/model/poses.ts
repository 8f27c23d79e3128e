import type { PartName } from './model.ts'

/** The first nine that stand in the API's specification are shown in its order; `face` and `bust` are extras. */
export const POSES = [
  'head',
  'face',
  'bust',
  'body',
  'front',
  'wave',
  'sit',
  'handstand',
  'cutesit',
  'standing',
  'showing_behind',
] as const

export type Pose = (typeof POSES)[number]
/** Poses of the whole body in space, unlike the flat face. */
export type SolidPose = Exclude<Pose, 'face'>

/** The edge of the flat face at scale 1, in pixels: whole ones for each of the skin's. */
export const FACE_SIZE = 384

/** The pose of an arm or a leg, in degrees, alike for right and left. */
export interface Limb {
  /** Swung to the front. */
  readonly forward?: number
  /** Lifted away from the body, to its side. */
  readonly out?: number
  /** Turned around its own length, its front outwards. */
  readonly twist?: number
  /** At the elbow or the knee, the way these bend. */
  readonly bend?: number
}

/** The pose of the head or the trunk, in degrees. */
export interface Bearing {
  /** To the figure's left. */
  readonly turn?: number
  /** Forwards and down. */
  readonly nod?: number
  /** Towards the left shoulder. */
  readonly tilt?: number
}

export interface PoseSpec {
  /** The size of the picture at scale 1, in pixels. */
  readonly width: number
  readonly height: number
  readonly camera: {
    /** The figure turns to its right by so much, as if the viewer walked to its left. */
    readonly around: number
    /** The viewer looks down from above. */
    readonly above: number
    /** The distance in units; null: so far away that nothing gets smaller with distance. */
    readonly distance: number | null
  }
  readonly only?: readonly PartName[]
  /** The height of a straight figure at which the lower edge of the picture cuts it. */
  readonly crop?: number
  readonly upsideDown?: boolean
  readonly head?: Bearing
  readonly body?: Bearing
  readonly rightArm?: Limb
  readonly leftArm?: Limb
  readonly rightLeg?: Limb
  readonly leftLeg?: Limb
  /** The angle between the cape and the back, in degrees. */
  readonly cape?: number
}

export const POSE_SPECS: Readonly<Record<SolidPose, PoseSpec>> = {
  head: { width: 448, height: 448, camera: { around: 35, above: 24, distance: 90 }, only: ['head'] },
  bust: {
    width: 448,
    height: 512,
    camera: { around: 24, above: 8, distance: 90 },
    only: ['head', 'body', 'rightArm', 'leftArm', 'cape'],
    crop: 15,
    head: { turn: -6 },
    cape: 5,
  },
  body: { width: 384, height: 672, camera: { around: 38, above: 24, distance: null }, cape: 5 },
  front: { width: 384, height: 704, camera: { around: 0, above: 0, distance: null }, cape: 0 },
  wave: {
    width: 448,
    height: 672,
    camera: { around: 20, above: 9, distance: 90 },
    head: { tilt: -8, turn: -4 },
    body: { tilt: -2 },
    rightArm: { out: 112, forward: 6, twist: 80, bend: 48 },
    leftArm: { forward: -10, out: 8, bend: 14 },
    rightLeg: { forward: -3, out: 3 },
    leftLeg: { forward: 7, out: 4, bend: 6 },
    cape: 12,
  },
  sit: {
    width: 448,
    height: 576,
    camera: { around: 34, above: 13, distance: 90 },
    head: { turn: -10, nod: 3 },
    body: { nod: 2 },
    rightArm: { forward: 33, out: 2, twist: -12, bend: 22 },
    leftArm: { forward: 33, out: 2, twist: -12, bend: 22 },
    rightLeg: { forward: 86, out: 5, bend: 72 },
    leftLeg: { forward: 86, out: 5, bend: 84 },
    cape: 10,
  },
  cutesit: {
    width: 480,
    height: 512,
    camera: { around: 32, above: 15, distance: 90 },
    head: { turn: -8, nod: 4, tilt: -12 },
    body: { nod: 10 },
    rightArm: { forward: 44, out: -10, twist: -20, bend: 6 },
    leftArm: { forward: 44, out: -10, twist: -20, bend: 6 },
    rightLeg: { forward: 84, out: 22, bend: 14 },
    leftLeg: { forward: 84, out: 22, bend: 14 },
    cape: 40,
  },
  handstand: {
    width: 448,
    height: 736,
    camera: { around: 24, above: 6, distance: 90 },
    upsideDown: true,
    head: { nod: -24 },
    body: { nod: -4 },
    rightArm: { forward: 176, out: 8 },
    leftArm: { forward: 176, out: 8 },
    rightLeg: { forward: -18, out: 6, bend: 62 },
    leftLeg: { forward: 12, out: 4, bend: 8 },
    cape: 130,
  },
  standing: {
    width: 416,
    height: 672,
    camera: { around: 22, above: 9, distance: 90 },
    head: { turn: -8 },
    rightArm: { forward: 4, out: 7, bend: 12 },
    leftArm: { forward: -4, out: 7, bend: 12 },
    rightLeg: { forward: -2, out: 4 },
    leftLeg: { forward: 4, out: 5, bend: 4 },
    cape: 7,
  },
  showing_behind: {
    width: 416,
    height: 672,
    camera: { around: 205, above: 9, distance: 90 },
    head: { turn: -66, nod: -2 },
    body: { turn: -12 },
    rightArm: { forward: 6, out: 7, bend: 10 },
    leftArm: { forward: -8, out: 7, bend: 10 },
    rightLeg: { forward: 4, out: 4 },
    leftLeg: { forward: -4, out: 4, bend: 8 },
    cape: 9,
  },
}
