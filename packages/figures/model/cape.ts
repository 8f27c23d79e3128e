import { bodyParts, patchesOf, type ArmWidth, type Part, type PartName, type Patch, type Side } from './model.ts'
import type { Texture } from '../skin/texture.ts'

/** A skin that a figure can wear unchanged: square, and only its second layers have holes. */
export interface Wearable {
  readonly skin: Texture
  /** The arm width that the skin itself shows. */
  readonly arms: ArmWidth
}

/**
 * Makes a skin wearable as the game does: one of the old size lends its right limbs to the left, first layers lose
 * their holes, and second layers go where nothing on the skin is transparent, since then they are not intended.
 */
export function wearable(given: Texture): Wearable {
  const isOld = given.height < given.width
  const rgba = new Uint8Array(given.width * given.width * 4)
  rgba.set(given.rgba)
  const skin: Sheet = { width: given.width, height: given.width, rgba, each: given.width / 64 }
  const arms = isOld ? 'classic' : armsOf(skin)
  if (isOld) lendRightLimbs(skin)
  const isSolid = !given.rgba.some((value, i) => i % 4 === 3 && value < 255)
  for (const part of bodyParts('classic')) {
    for (const patch of Object.values(patchesOf(part.skin, part.size))) setAlpha(skin, patch, 255)
    const layer = part.layer && patchesOf(part.layer.skin, part.size)
    if (layer && isSolid) for (const patch of Object.values(layer)) setAlpha(skin, patch, 0)
  }
  return { skin, arms }
}

/**
 * A cape on a sheet of 64 × 32 units. Sheets of 22 × 17 and of 46 × 22 hold the same picture without the empty rest.
 */
export function capeSheet(given: Texture): Texture {
  const width = [22, 46].some((each) => given.width % each === 0) ? Math.round(given.width / unitsOf(given)) * 64 : 0
  if (width === 0) return given
  const rgba = new Uint8Array(width * (width / 2) * 4)
  for (let row = 0; row < given.height; row++) {
    rgba.set(given.rgba.subarray(row * given.width * 4, (row + 1) * given.width * 4), row * width * 4)
  }
  return { width, height: width / 2, rgba }
}

function unitsOf({ width, height }: Texture): number {
  return Math.abs(width / height - 22 / 17) < 0.01 ? 22 : 46
}

interface Sheet extends Texture {
  readonly rgba: Uint8Array
  /** Pixels for a unit. */
  readonly each: number
}

/** Patches that only arms of four pixels paint: the last columns of top and back. */
const WIDE_ONLY: readonly Patch[] = [
  { u: 50, v: 16, width: 2, height: 4 },
  { u: 54, v: 20, width: 2, height: 12 },
  { u: 42, v: 48, width: 2, height: 4 },
  { u: 46, v: 52, width: 2, height: 12 },
]

function armsOf(sheet: Sheet): ArmWidth {
  const colours = WIDE_ONLY.flatMap((patch) => coloursIn(sheet, patch))
  const isBare = colours.some((colour) => colour >>> 24 < 255)
  // Some editors paint black or white where nothing is.
  const isBlank = [0xff000000, 0xffffffff].some((blank) => colours.every((colour) => colour >>> 0 === blank))
  return isBare || isBlank ? 'slim' : 'classic'
}

const OTHER_SIDE: Readonly<Record<Side, Side>> = {
  front: 'front',
  back: 'back',
  top: 'top',
  bottom: 'bottom',
  left: 'right',
  right: 'left',
}

function lendRightLimbs(sheet: Sheet): void {
  const parts = bodyParts('classic')
  const patches = (name: PartName) => {
    const { skin, size } = parts.find((part) => part.name === name) as Part
    return patchesOf(skin, size)
  }
  for (const limb of ['Arm', 'Leg'] as const) {
    const [right, left] = [patches(`right${limb}`), patches(`left${limb}`)]
    for (const [side, other] of Object.entries(OTHER_SIDE) as [Side, Side][]) mirror(sheet, right[side], left[other])
  }
}

function mirror(sheet: Sheet, from: Patch, to: Patch): void {
  overPixels(sheet, from, (x, y, at) => {
    const [left, top] = [to.u * sheet.each, to.v * sheet.each]
    const target = (top + y) * sheet.width + left + to.width * sheet.each - 1 - x
    sheet.rgba.copyWithin(target * 4, at, at + 4)
  })
}

function setAlpha(sheet: Sheet, patch: Patch, alpha: number): void {
  overPixels(sheet, patch, (_x, _y, at) => {
    sheet.rgba[at + 3] = alpha
  })
}

function coloursIn(sheet: Sheet, patch: Patch): readonly number[] {
  const found: number[] = []
  overPixels(sheet, patch, (_x, _y, at) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = sheet.rgba.subarray(at, at + 4)
    found.push((alpha << 24) | (blue << 16) | (green << 8) | red)
  })
  return found
}

/** Calls with the place of every pixel, from the patch's corner and in the bytes. */
function overPixels({ width, each }: Sheet, patch: Patch, use: (x: number, y: number, at: number) => void): void {
  for (let y = 0; y < patch.height * each; y++) {
    for (let x = 0; x < patch.width * each; x++) use(x, y, ((patch.v * each + y) * width + patch.u * each + x) * 4)
  }
}
