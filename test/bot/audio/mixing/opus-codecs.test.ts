import { expect } from 'chai'
import { openOpusCodecs, type OpusCodec } from '../../../../bot/audio/mixing/opus-codecs.ts'
import { settle } from '../../../support/manual-clock.ts'
import { closing } from '../../../support/closing.ts'

describe('the codecs of a thread', () => {
  const close = closing()
  /** Codecs of which some cannot be made, and how many were tried. */
  async function open({ refused }: { readonly refused: readonly number[] }) {
    const made = { count: 0 }
    const make = async () => {
      if (refused.includes(++made.count)) throw new RangeError('WebAssembly.Memory(): could not allocate memory')
      return { reset: () => undefined, free: () => undefined } as OpusCodec
    }
    return { made, codecs: close(await openOpusCodecs(48, make)) }
  }

  it('are those that could be made, and the next player that asks has another tried', async () => {
    const { made, codecs } = await open({ refused: [3] })
    expect(codecs.acquire()).not.to.equal(null)
    await settle()
    expect(made.count).to.equal(3)
    expect(codecs.acquire()).not.to.equal(null)
    expect(codecs.acquire()).to.equal(null)
    await settle()
    expect(made.count).to.equal(5)
    expect(codecs.acquire()).not.to.equal(null)
    expect(codecs.acquire()).not.to.equal(null)
  })

  it('are not more in use at once than may be, whether or not one could not be made', async () => {
    const { codecs } = await open({ refused: [10, 20] })
    const inUse: OpusCodec[] = []
    for (let i = 0; i < 100; i++) {
      const codec = codecs.acquire()
      if (codec) inUse.push(codec)
      await settle()
    }
    expect(inUse).to.have.length(48)
  })

  it('cannot be had where the first cannot be made', async () => {
    const failure = await open({ refused: [1] }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(RangeError)
  })
})
