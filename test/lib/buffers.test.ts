import { expect } from 'chai'
import { concatAndRelease, readBounded, releaseBuffer, TooManyPieces } from '../../lib/buffers.ts'

async function* inPieces(count: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(bytes)
}

function read(count: number, bytes: number): Promise<Buffer> {
  return readBounded(inPieces(count, bytes), 1e8, () => new Error('too large'))
}

describe('memory', () => {
  it('is given back at once, but not that of a part, which others may use', () => {
    const whole = Buffer.allocUnsafeSlow(100_000)
    const part = whole.subarray(0, 50_000)
    releaseBuffer(part)
    expect([whole.length, part.length]).to.deep.equal([100_000, 50_000])
    releaseBuffer(whole)
    expect([whole.length, part.length]).to.deep.equal([0, 0])
    releaseBuffer(whole)
  })

  it('of chunks is given back when they are joined; a single one is taken as it is', () => {
    const [one, other] = [Buffer.alloc(70_000, 1), Buffer.alloc(80_000, 2)]
    const all = concatAndRelease([one, other])
    expect([all.length, all[69_999], all[70_000]]).to.deep.equal([150_000, 1, 2])
    expect([one.length, other.length]).to.deep.equal([0, 0])
    expect(concatAndRelease([all])).to.equal(all)
    expect(concatAndRelease([]).length).to.equal(0)
  })

  it('takes no body in more small pieces than a network makes of it, and any number of larger ones', async () => {
    const refused = await read(5000, 1).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(TooManyPieces)
    expect((await read(4000, 1)).length).to.equal(4000)
    expect((await read(20_000, 600)).length).to.equal(12_000_000)
    expect(((await read(2, 6e7).catch((error: unknown) => error)) as Error).message).to.equal('too large')
  })
})
