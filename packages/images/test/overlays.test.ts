import { expect } from 'chai'
import { EFFECTS } from '../catalogue.ts'
import { perform } from '../perform.ts'
import type { Frame, Picture } from '../codec/picture.ts'
import { frameOf, still } from '../../../test/support/pictures.ts'

const plain = (red: number): Frame => frameOf(96, 80, () => [red, 90, 140, 255])

/** Frames of clearly different brightness. */
const moving: Picture = {
  width: 96,
  height: 80,
  frames: [plain(10), plain(120), plain(250)],
  delaysMs: [70, 120, 90],
  plays: 2,
}

function brightnessOf({ data }: Frame): number {
  let sum = 0
  for (let at = 0; at < data.length; at += 4) sum += (data[at] ?? 0) * (data[at + 3] ?? 0)
  return sum / data.length
}

const rowOf = ({ data, width }: Frame): Uint8Array => data.subarray(0, width * 4)

describe('overlays', () => {
  it('come out the same each time, and are drawn over every frame of a moving picture, which keeps moving', async () => {
    expect(EFFECTS.overlay.length).to.be.at.least(16)
    for (const overlay of EFFECTS.overlay) {
      const params = overlay.params.parse({})
      const inputs = (first: Picture) => (overlay.inputs === 2 ? [first, still(plain(60))] : [first])
      const [once, again] = [
        await perform(overlay, inputs(still(plain(120))), params),
        await perform(overlay, inputs(still(plain(120))), params),
      ]
      expect(once.frames, overlay.name).to.have.length(1)
      expect(Buffer.compare(once.frames[0]!.data, again.frames[0]!.data), overlay.name).to.equal(0)
      const drawn = await perform(overlay, inputs(moving), params)
      expect([drawn.delaysMs, drawn.plays], overlay.name).to.deep.equal([[70, 120, 90], 2])
      expect([drawn.width, drawn.height], overlay.name).to.deep.equal([once.width, once.height])
      const brightness = drawn.frames.map(brightnessOf)
      expect(brightness, overlay.name).to.have.length(3)
      // Each frame keeps its own drawing.
      expect(brightness[0], overlay.name).to.be.below(brightness[1]!)
      expect(brightness[1], overlay.name).to.be.below(brightness[2]!)
    }
  })

  it('let a bubble stand near to where it points, however tall the picture is', async () => {
    const bubble = EFFECTS.overlay.find(({ name }) => name === 'bubble')!
    const tall = frameOf(200, 800, () => [40, 90, 140, 255])
    for (const [y, seen, bare] of [
      ['56', 350, 200],
      ['20', 250, 450],
    ] as const) {
      const { frames } = await perform(bubble, [still(tall)], bubble.params.parse({ y }))
      const isDrawn = (row: number) =>
        !Buffer.from(frames[0]!.data.subarray(row * 800, (row + 1) * 800)).equals(rowOf(tall))
      expect([isDrawn(seen), isDrawn(bare)], y).to.deep.equal([true, false])
    }
  })

  it('take a second picture that moves under a first that does not', async () => {
    for (const overlay of EFFECTS.overlay.filter(({ inputs }) => inputs === 2)) {
      const drawn = await perform(overlay, [still(plain(60)), moving], overlay.params.parse({}))
      expect(drawn.frames.map(brightnessOf), overlay.name).to.satisfy((all: number[]) => new Set(all).size === 3)
      expect(drawn.delaysMs, overlay.name).to.deep.equal([70, 120, 90])
    }
  })
})
