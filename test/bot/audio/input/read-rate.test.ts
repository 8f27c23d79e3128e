import { expect } from 'chai'
import { Pace } from '../../../../bot/audio/input/read-rate.ts'

const MIB = 1024 * 1024

async function take(pace: Pace, chunk: Buffer): Promise<Buffer[]> {
  const slices: Buffer[] = []
  for await (const slice of pace.slices(chunk)) slices.push(slice)
  return slices
}

describe('the pace of a source', () => {
  it('hands on every byte of a chunk, in slices', async () => {
    const chunk = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251))
    const slices = await take(new Pace(), chunk)
    expect(Buffer.concat(slices).equals(chunk)).to.equal(true)
    expect(Math.max(...slices.map(({ length }) => length))).to.equal(65_536)
  })

  it('lets everything else have its turn between two slices', async () => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await take(new Pace(), Buffer.alloc(2 * MIB))
    isOver = true
    expect(turns).to.be.at.least(31)
  })

  it('is full speed for the first megabytes, and eight a second from then on', async () => {
    const pace = new Pace()
    const startMs = performance.now()
    await take(pace, Buffer.alloc(4 * MIB))
    const burstMs = performance.now() - startMs
    await take(pace, Buffer.alloc(4 * MIB))
    const restMs = performance.now() - startMs - burstMs
    expect(restMs).to.be.at.least(450 - burstMs)
  })
})
