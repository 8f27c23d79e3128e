import { expect } from 'chai'
import { describeMachine, readMachine, sizesFor } from '../../../lib/process/machine.ts'

const GIB = 1024 ** 3

const sizes = (cores: number, memoryMiB: number) => Object.values(sizesFor({ cores, memoryMiB, isLimited: false }))
const read = (constrainedBytes?: number) => readMachine({ cores: 2, totalBytes: 8 * GIB, constrainedBytes })

describe('the sizes for a machine', () => {
  it('follow its cores and its memory, with one of each at least', () => {
    // Audio threads, image processes, decoders, pages.
    expect(sizes(1, 128)).to.deep.equal([1, 1, 1, 1])
    expect(sizes(1, 256)).to.deep.equal([1, 1, 6, 1])
    expect(sizes(1, 384)).to.deep.equal([1, 1, 19, 1])
    expect(sizes(1, 512)).to.deep.equal([1, 1, 32, 1])
    expect(sizes(2, 1024)).to.deep.equal([1, 1, 64, 1])
    expect(sizes(2, 24_105)).to.deep.equal([1, 1, 384, 2])
    expect(sizes(8, 16_384)).to.deep.equal([2, 7, 768, 8])
    expect(sizes(8, 1500)).to.deep.equal([1, 2, 93, 1])
    expect(sizes(64, 262_144)).to.deep.equal([4, 63, 4352, 64])
  })

  it('take the limit of a control group for the memory, where it is below it', () => {
    const whole = { cores: 2, memoryMiB: 8192, isLimited: false }
    // Unknown; none in version 2; none in version 1, which says a number near 2^63; less than there is.
    expect([undefined, 0, 2 ** 63 - 4096].map(read)).to.deep.equal([whole, whole, whole])
    expect(read(384 * 1024 ** 2)).to.deep.equal({ cores: 2, memoryMiB: 384, isLimited: true })
    expect(describeMachine(read(384 * 1024 ** 2))).to.equal(
      '2 cores, 384 MiB (control group limit): audio threads 1, image processes 1, decoders 19, pages 1',
    )
  })
})
