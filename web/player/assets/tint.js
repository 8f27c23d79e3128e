import { coverOf, pictureAt } from './connection.js'

// The colour of what plays, from its cover. The picture is decoded and made small beside the page's own work.
const SIDE = 8
/** Colours that are nearer to each other are one. */
const STEP = 32
const root = document.documentElement
let wanted = null

/** @param track what plays, null if it has no cover. */
export async function tintFor(track) {
  wanted = track
  const picture = track && (await pictureAt(coverOf(track)))
  const colour = picture ? await colourOf(picture).catch(() => null) : null
  if (wanted !== track) return
  root.toggleAttribute('data-tinted', colour !== null)
  if (colour !== null) root.style.setProperty('--cover', colour)
}

async function colourOf(picture) {
  const small = await createImageBitmap(picture, { resizeWidth: SIDE, resizeHeight: SIDE, resizeQuality: 'low' })
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })
  context.drawImage(small, 0, 0)
  const { data } = context.getImageData(0, 0, SIDE, SIDE)
  const weights = new Map()
  for (let at = 0; at < data.length; at += 4) {
    const pixel = [...data.subarray(at, at + 3)]
    const colour = `rgb(${pixel.map((value) => Math.min(Math.round(value / STEP) * STEP, 255)).join(' ')})`
    // Colourful parts count more than grey ones.
    const weight = 1 + Math.max(...pixel) - Math.min(...pixel)
    weights.set(colour, (weights.get(colour) ?? 0) + weight)
  }
  return [...weights].toSorted(([, a], [, b]) => b - a)[0][0]
}
