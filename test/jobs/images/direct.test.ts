import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { EFFECTS } from '../../../jobs/images/catalogue.ts'
import { decode } from '../../../jobs/images/decode.ts'
import type { Effect } from '../../../jobs/images/declaration.ts'
import { direct } from '../../../jobs/images/direct.ts'
import { encode } from '../../../jobs/images/encode.ts'
import { perform } from '../../../jobs/images/perform.ts'

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

const workOf = (effect: Effect, file: Buffer) => ({
  kind: 'filter' as const,
  effect: effect.name,
  params: effect.params.parse({}),
  pictures: [file],
  format: null,
  size: 4096,
})

async function pixelsOf(file: Uint8Array) {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, size: `${info.width}x${info.height}` }
}

describe('pictures that go from file to file in one pipeline', () => {
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
        const work = workOf(effect, file)
        const quick = await direct(effect, work)
        const drawn = await perform(effect, [await decode(file, work.size)], work.params)
        const slow = await encode(drawn, 'png')
        const [one, other] = [await pixelsOf(quick?.data ?? new Uint8Array()), await pixelsOf(slow.data)]
        expect(one.size, effect.name).to.equal(other.size).and.equal(`${quick?.width}x${quick?.height}`)
        const apart = one.data.reduce((most, value, i) => {
          // What nobody can see may have any colour.
          const isSeen = other.data[i - (i % 4) + 3] !== 0 || i % 4 === 3
          return isSeen ? Math.max(most, Math.abs(value - (other.data[i] ?? 0))) : most
        }, 0)
        expect(apart, `${effect.name} of file ${at}`).to.be.at.most(2)
      }
    }
  })

  it('are still ones, upright, small enough and of ordinary colours; all others go step by step', async () => {
    const blur = piped.find(({ name }) => name === 'blur')
    if (!blur) throw new Error('There is no blur.')
    const quick = async (file: Buffer, size = 4096) => (await direct(blur, { ...workOf(blur, file), size })) !== null
    const picture = source(3)
    expect(await quick(await picture.png().toBuffer())).to.equal(true)
    expect(await quick(await picture.png().toBuffer(), SIDE - 1)).to.equal(false)
    expect(await quick(await source(3).withMetadata({ orientation: 6 }).jpeg().toBuffer())).to.equal(false)
    expect(await quick(await source(3).toColourspace('rgb16').png().toBuffer())).to.equal(false)
    expect(await quick(await source(3).toColourspace('b-w').png().toBuffer())).to.equal(false)
  })
})
