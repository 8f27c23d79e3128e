import { expect } from 'chai'
import sharp from 'sharp'
import { encode } from '../codec/encode.ts'
import { Refusal } from '../refusal.ts'
import { blackPng, decoded, frameOf, HALVES, movingOf, pixelOf, pngOf, still } from '../../../test/support/pictures.ts'

async function refusalOf(bytes: Buffer): Promise<string> {
  try {
    await decoded(bytes)
  } catch (error) {
    expect(error).to.be.instanceOf(Refusal)
    return (error as Refusal).message
  }
  throw new Error('This was taken.')
}

const FORMATS = ['png', 'jpeg', 'webp', 'avif', 'gif'] as const
const fileOf = async (format: (typeof FORMATS)[number]) =>
  sharp(await pngOf(HALVES))
    .toFormat(format)
    .toBuffer()

describe('decoding a picture', () => {
  it('takes PNG, JPEG, WebP, AVIF and GIF by their first bytes', async () => {
    for (const format of FORMATS) {
      const { width, height, frames, format: found } = await decoded(await fileOf(format))
      expect([width, height, frames.length, found]).to.deep.equal([40, 30, 1, format])
    }
  })

  it('keeps alpha, to the point', async () => {
    const picture = await decoded(await pngOf(HALVES))
    expect(Buffer.compare(picture.frames[0]?.data as Uint8Array, HALVES.data)).to.equal(0)
  })

  it('turns a photograph the way its camera was held', async () => {
    const lying = await sharp(await fileOf('jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { width, height, frames } = await decoded(lying)
    expect([width, height]).to.deep.equal([30, 40])
    expect(pixelOf(frames[0] as never, 15, 35)[2]).to.be.greaterThan(150)
  })

  it('takes 16 bits, grey, a palette and the colours of print as what they look like', async () => {
    const png = await pngOf(frameOf(6, 6, () => [200, 40, 20, 255]))
    const variants = [
      await sharp(png).toColourspace('rgb16').png().toBuffer(),
      await sharp(png).png({ palette: true }).toBuffer(),
      await sharp(png).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
    ]
    for (const variant of variants) {
      const [red = 0, green = 0] = pixelOf((await decoded(variant)).frames[0] as never, 3, 3)
      expect(red).to.be.within(170, 255)
      expect(green).to.be.within(0, 80)
    }
    const grey = await decoded(await sharp(png).greyscale().png().toBuffer())
    expect(grey.frames[0]?.data.length).to.equal(6 * 6 * 4)
  })

  it('shrinks to the size that is asked for and enlarges nothing', async () => {
    const png = await pngOf(HALVES)
    expect(await decoded(png, 20)).to.include({ width: 20, height: 15 })
    expect(await decoded(png, 400)).to.include({ width: 40, height: 30 })
  })

  it('keeps the frames, delays and plays of GIF and WebP, both ways', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const picture = await decoded(await movingOf(format, 5))
      expect(picture.delaysMs).to.deep.equal([70, 70, 70, 70, 70])
      const { data, frames } = await encode(picture, format)
      const again = await decoded(Buffer.from(data))
      expect([frames, again.frames.length, again.plays, again.width]).to.deep.equal([5, 5, 3, 24])
    }
    const first = await encode(await decoded(await movingOf('gif', 5)), 'png')
    expect([first.format, first.frames]).to.deep.equal(['png', 1])
  })

  it('shrinks a long animation to what can be worked on in time', async () => {
    const picture = await decoded(await movingOf('gif', 60, 500))
    expect(picture.frames).to.have.length(60)
    expect(picture.width).to.be.within(400, 460)
  })

  it('refuses what is no picture, no matter what it calls itself', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    for (const text of [svg, '', 'GIF', '%PDF-1.7', 'II*\0\0\0\0\0', '<!doctype html>']) {
      expect(await refusalOf(Buffer.from(text, 'latin1')), text).to.match(/isn't a PNG, JPEG, WebP, AVIF or GIF/)
    }
  })

  it('refuses a file that is cut short, wherever', async () => {
    for (const format of FORMATS) {
      const file = await fileOf(format)
      for (const share of [0.2, 0.5, 0.9]) {
        expect(await refusalOf(file.subarray(0, Math.floor(file.length * share))), format).to.match(
          /corrupt|isn't a PNG/,
        )
      }
    }
  })

  it('cuts off what stands behind the picture, and hands none of it on', async () => {
    const tails = {
      archive: Buffer.from('PK\u0003\u0004\n\0\0\0<script>alert(1)</script>', 'latin1'),
      words: Buffer.from('HELLO FROM THE OTHER SIDE'),
      film: Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0', 'latin1'),
      notes: Buffer.from('Image_UTC_Data1700000000000SEFHk\0\0\0\u0001\0\0\0SEFT', 'latin1'),
      picture: await fileOf('jpeg'),
      zeros: Buffer.alloc(64 * 1024),
    }
    for (const format of FORMATS) {
      const file = await fileOf(format)
      const alone = await encode(await decoded(file), 'png')
      for (const [name, tail] of Object.entries(tails)) {
        const { data } = await encode(await decoded(Buffer.concat([file, tail])), 'png')
        expect(Buffer.compare(data, alone.data), `${format} with ${name}`).to.equal(0)
      }
    }
    const moving = Buffer.concat([await movingOf('gif', 5), tails.archive])
    expect((await decoded(moving)).frames).to.have.length(5)
  })

  it('refuses more than 40 megapixels by the head alone', async () => {
    const bomb = blackPng(12_000, 9000)
    expect(bomb.length).to.be.lessThan(40_000)
    expect(await refusalOf(bomb)).to.match(/40 megapixels/)
  })

  it('refuses more than 200 frames', async () => {
    expect(await refusalOf(await movingOf('gif', 201, 8))).to.match(/201 frames; the maximum is 200/)
  })

  it('writes pictures without alpha as such, and no metadata', async () => {
    const opaque = await encode(still(frameOf(4, 4, () => [1, 2, 3, 255])), 'png')
    const { channels, exif, icc } = await sharp(opaque.data).metadata()
    expect([channels, exif, icc]).to.deep.equal([3, undefined, undefined])
    expect((await sharp((await encode(still(HALVES), 'webp')).data).metadata()).channels).to.equal(4)
  })
})
