import { expect } from 'chai'
import { releaseBuffer, concatAndRelease } from '../../lib/buffers.ts'

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
})
