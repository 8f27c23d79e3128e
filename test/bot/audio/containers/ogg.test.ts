import { expect } from 'chai'
import { MalformedError } from '../../../../bot/audio/containers/opus.ts'
import { OggOpusDemuxer } from '../../../../bot/audio/containers/ogg.ts'

/** The head of a page of 65 kB, which never comes: as many of them as fit. */
function headsOnly(bytes: number): Buffer {
  const head = Buffer.alloc(27 + 255, 255)
  head.write('OggS\0\0', 'latin1')
  return Buffer.alloc(bytes, head)
}

describe('an Ogg demuxer', () => {
  it('gives up after a few pages in a row that are not what their checksums say', () => {
    const demuxer = new OggOpusDemuxer()
    expect(() => demuxer.push(headsOnly(192 * 1024))).to.throw(MalformedError)
  })

  it('finds its way over fewer of them', () => {
    const demuxer = new OggOpusDemuxer()
    expect(demuxer.push(headsOnly(80 * 1024))).to.deep.equal([])
    expect(demuxer.isDamaged).to.equal(true)
  })
})
