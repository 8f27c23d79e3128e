import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { EFFECTS } from '../catalogue.ts'
import { inspect } from '../codec/decode.ts'
import type { Effect } from '../declaration.ts'
import { direct } from '../codec/direct-pipeline.ts'
import { perform } from '../perform.ts'
import type { Frame } from '../codec/picture.ts'
import { decoded } from '../../../test/support/pictures.ts'

const SIDE = 48

/** Colours that change in every direction, and see-through at one side where there is alpha. */
function source(channels: 3 | 4): Sharp {
  const data = Buffer.alloc(SIDE * SIDE * channels)
  for (let at = 0, point = 0; point < SIDE * SIDE; point++, at += channels) {
    const [x, y] = [point % SIDE, Math.floor(point / SIDE)]
    data.set([x * 5, y * 5, ((x * y) % 64) * 4], at)
    if (channels === 4) data[at + 3] = Math.min(255, x * 8)
  }
  return sharp(data, { raw: { width: SIDE, height: SIDE, channels } })
}

/** Draws by the direct way, with the defaults; null if there is none. */
async function directly(effect: Effect, file: Buffer, size = 4096): Promise<Frame | null> {
  const drawn = await direct(effect, effect.params.parse({}), [await inspect(file)], size)
  return drawn?.frames[0] ?? null
}

describe('pictures that are read and changed in one pipeline', () => {
  const piped = EFFECTS.filter.filter(({ pipe }) => pipe !== null)

  it('come out as they do step by step', async () => {
    expect(piped.map(({ name }) => name)).to.include.members(['sharpen', 'blur', 'rotate', 'resize'])
    const files = [
      await source(3).png().toBuffer(),
      await source(4).png().toBuffer(),
      await source(3).jpeg().toBuffer(),
    ]
    for (const effect of piped) {
      for (const [at, file] of files.entries()) {
        const { params } = effect
        const steps = await perform(effect, [await decoded(file)], params.parse({}))
        const [one, other] = [await directly(effect, file), steps.frames[0] as Frame]
        expect([one?.width, one?.height], effect.name).to.deep.equal([other.width, other.height])
        const apart = other.data.reduce((most, value, i) => {
          // Invisible pixels may have any colour.
          const isSeen = other.data[i - (i % 4) + 3] !== 0 || i % 4 === 3
          return isSeen ? Math.max(most, Math.abs(value - (one?.data[i] ?? 0))) : most
        }, 0)
        expect(apart, `${effect.name} of file ${at}`).to.be.at.most(2)
      }
    }
  })

  it('are still ones, upright, small enough and of ordinary colours; all others go step by step', async () => {
    const blur = piped.find(({ name }) => name === 'blur')
    if (!blur) throw new Error('There is no blur.')
    const quick = async (file: Buffer, size?: number) => (await directly(blur, file, size)) !== null
    const picture = source(3)
    expect(await quick(await picture.png().toBuffer())).to.equal(true)
    expect(await quick(await picture.png().toBuffer(), SIDE - 1)).to.equal(false)
    expect(await quick(await source(3).withMetadata({ orientation: 6 }).jpeg().toBuffer())).to.equal(false)
    expect(await quick(await source(3).toColourspace('rgb16').png().toBuffer())).to.equal(false)
    expect(await quick(await source(3).toColourspace('b-w').png().toBuffer())).to.equal(false)
  })
})
