import { expect } from 'chai'
import sharp from 'sharp'
import { encodePng } from '../codec/png.ts'
import { frameOf, HALVES, type Colour } from '../../../test/support/pictures.ts'

const SIDE = 160

/** Noise without repetition, about that of a photograph. */
function grainOf(x: number, y: number): number {
  return (Math.imul(x * 911 + y * 357 + 1, 2_654_435_761) >>> 27) + Math.round(90 + 60 * Math.sin(x / 19 + y / 31))
}

const photograph = (alpha: number) => frameOf(SIDE, SIDE, (x, y) => [grainOf(x, y), grainOf(y, x), 70, alpha])
const tiles = frameOf(SIDE, SIDE, (x, y): Colour => {
  const shade = grainOf(x % 8, y % 8)
  return [shade, (shade * 3) % 256, x % 8 < 4 ? 20 : 220, 255]
})

describe('PNG', () => {
  it('comes out as it was put in, with the channels it has use for', async () => {
    const grey = frameOf(SIDE, 50, (x, y) => [grainOf(x, y), grainOf(x, y), grainOf(x, y), 255])
    for (const [frame, channels] of [
      [photograph(255), 3],
      [photograph(99), 4],
      [tiles, 3],
      [grey, 1],
      [HALVES, 4],
      [frameOf(1, 1, () => [1, 2, 3, 255]), 3],
    ] as const) {
      const file = await encodePng(frame)
      expect((await sharp(file).metadata()).channels).to.equal(channels)
      const pixels = await sharp(file).toColourspace('srgb').ensureAlpha().raw().toBuffer()
      expect(pixels.equals(frame.data)).to.equal(true)
    }
  })

  it('is not larger than the library makes it, of what repeats itself and of what does not', async () => {
    for (const frame of [photograph(255), photograph(200), tiles]) {
      const raw = { width: SIDE, height: SIDE, channels: 4 } as const
      const usual = await sharp(frame.data, { raw }).png().toBuffer()
      expect((await encodePng(frame)).length).to.be.lessThan(usual.length * 1.1)
    }
  })
})
