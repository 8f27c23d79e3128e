import { expect } from 'chai'
import { drawFigure, type FigureSpec } from '../figure.ts'
import { createLog } from '../../../lib/log.ts'
import type { Pixels } from '../raster/rasterise.ts'
import { createSkinBrush, ALL_SIDES } from '../../../test/support/skin-brush.ts'
import { createFigureRenderer } from '../../../jobs/figures/figure-thread.ts'
import { wearable } from '../model/cape.ts'
import { POSES } from '../model/poses.ts'
import { tellingCape, tellingColour, tellingSkin } from '../../../test/support/skins.ts'

const still: FigureSpec = { pose: 'front', scale: 1, arms: 'classic', skin: tellingSkin('classic'), cape: null }
const draw = (spec: Partial<FigureSpec>): Pixels => drawFigure({ ...still, ...spec })

const pixel = ({ width, rgba }: Pixels, x: number, y: number) => [...rgba.subarray((y * width + x) * 4).subarray(0, 4)]
/** Whether a colour is a shade of one of the skin: light scales all three channels alike, shadows keep some blue. */
const isShadeOf = ([red = 0, green = 0, blue = 0, alpha = 0]: readonly number[], hex: string): boolean => {
  const [r = 0, g = 0, b = 0] = (hex.slice(1).match(/../g) ?? []).map((each) => Number.parseInt(each, 16))
  const light = (red + green) / (r + g)
  return alpha === 255 && light > 0.1 && Math.abs(green - g * light) < 3 && Math.abs(blue - b * light) < 4 + b * 0.08
}
const countShades = ({ rgba }: Pixels, hex: string): number => {
  let count = 0
  // Every second pixel is enough to count by.
  for (let at = 0; at < rgba.length; at += 8) {
    if (rgba[at + 3] === 255 && isShadeOf([rgba[at]!, rgba[at + 1]!, rgba[at + 2]!, 255], hex)) count++
  }
  return count
}
/** The middle of a square of 16 × 32 in a picture of a straight figure from the front, counted from above. */
const at = (picture: Pixels, column: number, row: number) => {
  const unit = (picture.height * (1 - 2 * 0.035 * (384 / 704))) / 32.74
  const x = picture.width / 2 + (column - 8) * unit
  const y = picture.height / 2 + (row - 16.13) * unit
  return pixel(picture, Math.round(x), Math.round(y))
}

describe('the drawing of figures', () => {
  it('puts each part where it belongs, its front to the front, its right on the left', () => {
    const picture = draw({})
    const shown = {
      head: [8, 4],
      body: [8, 14],
      rightArm: [2, 14],
      leftArm: [14, 14],
      rightLeg: [6, 26],
      leftLeg: [10, 26],
    }
    for (const [part, [column = 0, row = 0]] of Object.entries(shown)) {
      const colour = at(picture, column, row)
      expect(isShadeOf(colour, tellingColour(part as 'head', 'front')), `${part}: ${colour.join()}`).to.equal(true)
    }
  })

  it('shows the sides that a pose turns to the viewer, and no other', () => {
    const iso = draw({ pose: 'body' })
    for (const side of ['front', 'left', 'top'] as const) {
      expect(countShades(iso, tellingColour('head', side)), side).to.be.greaterThan(1000)
    }
    for (const side of ['back', 'right', 'bottom'] as const) {
      // Mixed colours at an edge make a few pixels look like a third.
      expect(countShades(iso, tellingColour('head', side)), side).to.be.below(100)
    }
    const behind = draw({ pose: 'showing_behind', cape: tellingCape() })
    expect(countShades(behind, '#e0c010')).to.be.greaterThan(5000)
    expect(countShades(behind, tellingColour('body', 'front'))).to.be.below(100)
    const headOnly = draw({ pose: 'head' })
    expect(countShades(headOnly, tellingColour('body', 'front'))).to.be.below(100)
  })

  it('draws every pose of both models, with and without a cape, within its margin and without a crack', () => {
    for (const pose of POSES.filter((name) => name !== 'face')) {
      for (const arms of ['classic', 'slim'] as const) {
        const brush = createSkinBrush(arms)
        for (const part of ['head', 'body', 'rightArm', 'leftArm', 'rightLeg', 'leftLeg'] as const) {
          brush.paint({ part, sides: ALL_SIDES }, '#40a060')
        }
        const picture = draw({ pose, arms, skin: brush.texture, cape: arms === 'slim' ? tellingCape() : null })
        const gaps = clearAreas(picture)
        const most = picture.width * picture.height
        expect(gaps[0], pose).to.be.within(most * 0.2, most * 0.8)
        // Between an arm and the trunk one may look through; a crack would be a few pixels.
        expect(
          gaps.filter((pixels) => pixels < 40),
          `${pose}, ${arms}`,
        ).to.deep.equal([])
        for (const x of [0, picture.width - 1]) expect(pixel(picture, x, picture.height / 2)[3], pose).to.equal(0)
      }
    }
  })

  it('shows head and shoulders as a bust, cut by the lower edge', () => {
    const bust = draw({ pose: 'bust' })
    expect([bust.width, bust.height]).to.deep.equal([448, 512])
    for (const part of ['head', 'body', 'rightArm', 'leftArm'] as const) {
      expect(countShades(bust, tellingColour(part, 'front')), part).to.be.greaterThan(500)
    }
    expect(countShades(bust, tellingColour('leftLeg', 'front'))).to.be.below(50)
    const edge = Array.from({ length: bust.width }, (_, x) => pixel(bust, x, bust.height - 1)[3])
    expect(edge.filter((alpha) => alpha === 255).length).to.be.greaterThan(bust.width / 2)
    expect(pixel(bust, bust.width / 2, 2)[3]).to.equal(0)
  })

  it('shows the face flat: the colours of the skin, with the second layer before the first', () => {
    const brush = createSkinBrush('classic')
    brush.paint({ part: 'head', sides: ['front'] }, '#204060')
    brush.paint({ part: 'head', sides: ['front'], isLayer: true }, '#e0c010', { x: 2, width: 1 })
    const face = draw({ pose: 'face', skin: brush.texture, scale: 2 })
    expect([face.width, face.height]).to.deep.equal([768, 768])
    expect(pixel(face, 10, 700)).to.deep.equal([0x20, 0x40, 0x60, 255])
    // The third of eight columns, to the pixel.
    expect(pixel(face, 191, 300)).to.deep.equal([0x20, 0x40, 0x60, 255])
    expect(pixel(face, 192, 300)).to.deep.equal([0xe0, 0xc0, 0x10, 255])
    expect(pixel(face, 287, 300)).to.deep.equal([0xe0, 0xc0, 0x10, 255])
  })

  it('gives the same bytes for the same figure, in a thread as well', async () => {
    const spec = { ...still, pose: 'wave', cape: tellingCape() } as const
    const there = await createFigureRenderer(createLog('silent')).draw(spec, new AbortController().signal)
    expect(Buffer.compare(there.rgba, draw(spec).rgba)).to.equal(0)
  })

  it('is sharp at every scale: between two pixels of the skin lies one mixed pixel at most', () => {
    const brush = createSkinBrush('classic')
    for (let x = 0; x < 8; x++)
      brush.paint({ part: 'head', sides: ['front'] }, x % 2 ? '#f0f0f0' : '#202020', { x, width: 1 })
    for (const scale of [1, 2, 4]) {
      const picture = draw({ pose: 'front', skin: brush.texture, scale })
      expect([picture.width, picture.height]).to.deep.equal([384 * scale, 704 * scale])
      const row = Math.round(picture.height * 0.12)
      const line = Array.from({ length: picture.width }, (_, x) => pixel(picture, x, row)).filter(
        ([, , , a]) => a === 255,
      )
      const mixed = line.filter(([red = 0]) => red > 60 && red < 170)
      expect(mixed.length, `scale ${scale}`).to.be.at.most(8)
      expect(line.length).to.be.greaterThan(150 * scale)
    }
  })

  it('draws slim arms a quarter narrower', () => {
    const [classic = 0, slim] = (['classic', 'slim'] as const).map((arms) =>
      countShades(draw({ arms, skin: tellingSkin(arms) }), tellingColour('rightArm', 'front')),
    )
    // The frame of the narrower figure is the same: the picture's height decides.
    expect(slim! / classic).to.be.within(0.72, 0.78)
  })

  it('lays second layers over, lets what is under them be seen through holes, and mixes what is translucent', () => {
    const layered = draw({ skin: tellingSkin('classic', { layers: true }) })
    expect(isShadeOf(at(layered, 8, 1), tellingColour('head', 'front', true))).to.equal(true)
    expect(isShadeOf(at(layered, 8, 4), tellingColour('head', 'front'))).to.equal(true)
    const brush = createSkinBrush('classic')
    brush.paint({ part: 'head', sides: ALL_SIDES }, '#ff0000')
    brush.paint({ part: 'head', sides: ['front'], isLayer: true }, '#0000ff80')
    const [red = 0, , blue = 0, alpha] = at(draw({ skin: brush.texture }), 8, 4)
    expect(
      [red, blue].every((value) => value > 70 && value < 190),
      `${red}, ${blue}`,
    ).to.equal(true)
    expect(alpha).to.equal(255)
  })
})

describe('a skin made wearable', () => {
  it('of the old size lends its right limbs to the left ones, mirrored', () => {
    const brush = createSkinBrush('classic')
    brush.paint({ part: 'rightArm', sides: ['front'] }, '#00ff00', { width: 1 })
    brush.paint({ part: 'rightLeg', sides: ['right'] }, '#ff00ff')
    const { width, rgba } = brush.texture
    const { skin, arms } = wearable({ width, height: 32, rgba: rgba.subarray(0, width * 32 * 4) })
    expect([skin.height, arms]).to.deep.equal([64, 'classic'])
    const colour = (x: number, y: number) => [...skin.rgba.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 3)]
    expect(colour(39, 52)).to.deep.equal([0, 255, 0])
    expect(colour(36, 52)).to.deep.equal([0, 0, 0])
    expect(colour(24, 60)).to.deep.equal([255, 0, 255])
  })

  it('tells narrow arms by what only wide ones paint', () => {
    expect(wearable(tellingSkin('classic')).arms).to.equal('classic')
    expect(wearable(tellingSkin('slim')).arms).to.equal('slim')
  })

  it('loses second layers where nothing at all is transparent, and holes in its first ones', () => {
    const solid = { width: 64, height: 64, rgba: new Uint8Array(64 * 64 * 4).fill(255) }
    expect(alphaAt(wearable(solid).skin, 44, 12)).to.equal(0)
    const holed = { ...solid, rgba: Uint8Array.from(solid.rgba) }
    holed.rgba[(12 * 64 + 12) * 4 + 3] = 0
    expect(alphaAt(wearable(holed).skin, 12, 12)).to.equal(255)
    expect(alphaAt(wearable(holed).skin, 44, 12)).to.equal(255)
  })
})

function alphaAt({ rgba }: { readonly rgba: Uint8Array }, x: number, y: number) {
  return rgba[(y * 64 + x) * 4 + 3]
}

/** The pixels of each connected clear area, the one around the figure first. */
function clearAreas({ width, height, rgba }: Pixels): readonly number[] {
  const isClear = Uint8Array.from({ length: width * height }, (_, i) => (rgba[i * 4 + 3]! > 200 ? 0 : 1))
  const areas: number[] = []
  for (let start = isClear.indexOf(1); start >= 0; start = isClear.indexOf(1, start)) {
    const open = [start]
    isClear[start] = 0
    for (let i = 0; i < open.length; i++) {
      const each = open[i]!
      const [left, right] = [each % width > 0 ? each - 1 : -1, each % width < width - 1 ? each + 1 : -1]
      const next = [left, right, each - width, each + width].filter((neighbour) => isClear[neighbour] === 1)
      for (const neighbour of next) isClear[neighbour] = 0
      open.push(...next)
    }
    areas.push(open.length)
  }
  return areas
}
