import { expect } from 'chai'
import { describe as factsOf, EFFECTS, findEffect } from '../catalogue.ts'
import { perform } from '../perform.ts'
import type { Frame } from '../codec/picture.ts'
import { decoded, frameOf, HALVES, movingOf, pixelOf, still } from '../../../test/support/pictures.ts'

async function filtered(name: string, given: Record<string, string> = {}, frame: Frame = HALVES): Promise<Frame> {
  const effect = findEffect('filter', name)
  const { frames } = await perform(effect, [still(frame)], effect.params.parse(given))
  return frames[0] as Frame
}

const RED = [200, 40, 20, 255]
const BLUE = [20, 60, 220, 255]
const CLEAR_ALPHA = 0

describe('every filter', () => {
  it('changes the picture, not what it was given, and keeps its size', async () => {
    const dotted = frameOf(40, 30, (x, y) => ((x * 7 + y * 3) % 11 < 3 ? [90, 200, 90, 255] : [200, 40, 20, 255]))
    const before = dotted.data.slice()
    for (const { name } of EFFECTS.filter) {
      const out = await filtered(name, {}, dotted)
      const size = { circle: [30, 30], resize: [512, 384], rotate: [30, 40] }[name] ?? [40, 30]
      expect([out.width, out.height], name).to.deep.equal(size)
      expect(out.data.length, name).to.equal(out.width * out.height * 4)
      expect(Buffer.compare(out.data, before), name).not.to.equal(0)
      expect(Buffer.compare(dotted.data, before), name).to.equal(0)
    }
  })

  it('leaves clear what is clear', async () => {
    const moving = new Set(['rotate', 'flip', 'mirror', 'resize', 'circle', 'swirl', 'glitch', 'pixelate', 'blur'])
    for (const { name } of EFFECTS.filter.filter(({ name }) => !moving.has(name))) {
      const out = await filtered(name)
      expect(pixelOf(out, 1, 1)[3], name).to.equal(CLEAR_ALPHA)
      expect(pixelOf(out, 30, 20)[3], name).to.equal(255)
    }
  })

  it('works on each frame of a file on its own, and changes none of what was read', async () => {
    const moving = await decoded(await movingOf('webp', 3))
    const before = moving.frames.map(({ data }) => data.slice())
    for (const effect of EFFECTS.filter) {
      const params = effect.params.parse({})
      const { frames } = await perform(effect, [moving], params)
      // Grain and tears differ from frame to frame.
      for (const [at, frame] of ['noise', 'glitch'].includes(effect.name) ? [] : frames.entries()) {
        const alone = await perform(effect, [still(moving.frames[at] as Frame)], params)
        expect(Buffer.compare(frame.data, alone.frames[0]?.data as Uint8Array), effect.name).to.equal(0)
      }
      expect(moving.frames.every(({ data }, at) => Buffer.compare(data, before[at] as Uint8Array) === 0)).to.equal(true)
    }
  })

  it('works on a picture of a single point', async () => {
    const point = frameOf(1, 1, () => [10, 200, 30, 255])
    for (const { name } of EFFECTS.filter) {
      const out = await filtered(name, {}, point)
      expect(out.data.length, name).to.equal(out.width * out.height * 4)
    }
  })

  it('says of each parameter what it is, within which bounds, and what it is by default', () => {
    for (const { name, parameters } of EFFECTS.filter.map(factsOf)) {
      for (const parameter of parameters) {
        const what = `${name} ${parameter.name}`
        expect(parameter.description, what).to.match(/^[\p{Lu}\d].*\.$/u)
        expect(parameter.default, what).not.to.equal(undefined)
        const isNumber = parameter.type === 'integer' || parameter.type === 'number'
        expect(typeof parameter.minimum, what).to.equal(isNumber ? 'number' : 'undefined')
        expect(typeof parameter.maximum, what).to.equal(isNumber ? 'number' : 'undefined')
      }
    }
  })

  it('takes the ends of its ranges and nothing beyond them', async () => {
    for (const effect of EFFECTS.filter) {
      for (const { name, minimum, maximum } of factsOf(effect).parameters) {
        if (minimum === undefined || maximum === undefined) continue
        // A picture of the largest size would take long and show nothing more.
        for (const value of effect.name === 'resize' ? [minimum] : [minimum, maximum]) {
          await filtered(effect.name, { [name]: String(value) })
        }
        for (const value of [minimum - 1, maximum + 1, 'x', '', '1e3', ' 1']) {
          const parsed = effect.params.safeParse({ [name]: String(value) })
          expect(parsed.success, `${effect.name} ${name}=${value}`).to.equal(false)
        }
      }
    }
  })
})

const at = async (name: string, given: Record<string, string>, x = 10, y = 20) =>
  pixelOf(await filtered(name, given), x, y)

describe('filters', () => {
  it('of colour do what they say', async () => {
    expect(await at('invert', {})).to.deep.equal([55, 215, 235, 255])
    expect(await at('channel', { channel: 'green' })).to.deep.equal([0, 40, 0, 255])
    expect(await at('brightness', { amount: '100' })).to.deep.equal([255, 255, 255, 255])
    expect(await at('threshold', { level: '0' })).to.deep.equal([255, 255, 255, 255])
    expect(await at('posterize', { levels: '2' })).to.deep.equal([255, 0, 0, 255])
    expect(await at('solarize', { level: '100' })).to.deep.equal([55, 40, 20, 255])
    expect(await at('saturate', { amount: '100' })).to.deep.equal(RED)
    expect(await at('hue', { degrees: '0' })).to.deep.equal(RED)
    expect(await at('contrast', { amount: '0' })).to.deep.equal(RED)
    expect(await at('greyscale', { amount: '0' })).to.deep.equal(RED)
    const [red, green, blue] = await at('greyscale', {})
    expect([green, blue]).to.deep.equal([red, red])
    const [warm, , cool] = await at('sepia', {}, 30)
    expect(warm).to.be.greaterThan(cool as number)
    expect(await at('duotone', { dark: '000', light: '000' })).to.deep.equal([0, 0, 0, 255])
  })

  it('of shape move and cut as they say', async () => {
    expect(await at('flip', {}, 35)).to.deep.equal(RED)
    expect(await at('mirror', { keep: 'right' }, 2)).to.deep.equal(BLUE)
    expect((await at('circle', {}, 0, 0))[3]).to.equal(0)
    expect((await at('rounded', { radius: '50' }, 39, 29))[3]).to.equal(0)
    const turned = await filtered('rotate', { degrees: '45', clear: 'false', background: 'fff' })
    expect(turned.width).to.be.within(48, 52)
    expect(pixelOf(turned, 0, 0)).to.deep.equal([255, 255, 255, 255])
    const large = await filtered('resize', { width: '80', height: '20', fit: 'fill' })
    expect([large.width, large.height]).to.deep.equal([80, 20])
  })

  it('with a seed repeat themselves for the same one, and differ for another', async () => {
    for (const name of ['noise', 'glitch']) {
      const [one, again, other] = await Promise.all(['4', '4', '5'].map((seed) => filtered(name, { seed })))
      expect(Buffer.compare(one?.data as Uint8Array, again?.data as Uint8Array), name).to.equal(0)
      expect(Buffer.compare(one?.data as Uint8Array, other?.data as Uint8Array), name).not.to.equal(0)
    }
  })

  it('spread no colour into the neighbourhood of clear points', async () => {
    const [red, green, blue] = await at('blur', { radius: '3' }, 9, 9)
    expect(red).to.be.within(190, 210)
    expect(green).to.be.within(30, 50)
    expect(blue).to.be.within(10, 30)
  })
})
