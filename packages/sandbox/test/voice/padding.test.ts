import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { createTone, oggPackets } from '../../control/tone.ts'
import { createOggWriter } from 'bandstand-sandbox/voice'
import { opusSamples, padPacket, silencePacket } from '../../voice/opus.ts'

const decode = (packets: Buffer[]) => {
  const writer = createOggWriter(1)
  const file = Buffer.concat([
    writer.header(),
    writer.pages(packets.map((bytes) => ({ bytes, samples: opusSamples(bytes)! }))),
  ])
  const args = ['-v', 'error', '-i', '-', '-f', 's16le', '-']
  return execFileSync('ffmpeg', args, { input: file, maxBuffer: 16 * 1024 * 1024 })
}

describe('padded Opus packets', () => {
  it('are exactly as long as asked, play as long as before, and sound the same', async () => {
    const tone = await createTone({ seconds: 1, hz: 440 })
    const padded = tone.map((packet) => padPacket(packet, 640))
    expect(padded.every(({ length }) => length === 640)).to.equal(true)
    expect(decode(padded).equals(decode(tone))).to.equal(true)
  })

  it('are left alone when they are long enough, or cannot be padded', () => {
    const silence = silencePacket(960)
    for (let bytes = silence.length + 2; bytes < 1100; bytes += 1)
      expect(padPacket(silence, bytes)).to.have.length(bytes)
    expect(padPacket(silence, 3)).to.equal(silence)
    const twoFrames = Buffer.of(silence[0]! | 1, 0, 0)
    expect(padPacket(twoFrames, 100)).to.equal(twoFrames)
    expect(oggPackets(Buffer.alloc(0))).to.deep.equal([])
  })
})
