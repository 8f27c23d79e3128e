import { expect } from 'chai'
import { LONGEST, toWireJson } from '../../../../api/lavalink/protocol/json.ts'
import { decodeTrack, readTrack, toTrackObject } from '../../../../api/lavalink/tracks/track-object.ts'
import { Fault } from '../../../../lib/errors.ts'

// Tokens that Lavalink and its plug-ins wrote, as their documentation, their tests and the docs of clients publish them.
const VERSION_2 =
  'QAAAjQIAJVJpY2sgQXN0bGV5IC0gTmV2ZXIgR29ubmEgR2l2ZSBZb3UgVXAADlJpY2tBc3RsZXlWRVZPAAAAAAADPCAAC2RRdzR3OVdnWGNRAAEAK2h0dHBzOi8vd3d3LnlvdXR1YmUuY29tL3dhdGNoP3Y9ZFF3NHc5V2dYY1EAB3lvdXR1YmUAAAAAAAAAAA=='
const SOUNDCLOUD =
  'QAABJAMAClRhbGsgYSBMb3QACjQwNHZpbmNlbnQAAAAAAAHr1gBxTzpodHRwczovL2FwaS12Mi5zb3VuZGNsb3VkLmNvbS9tZWRpYS9zb3VuZGNsb3VkOnRyYWNrczo4NTE0MjEwNzYvMzUyYTRiOTAtNzYxOS00M2E5LWJiOGItMjIxMzE0YzFjNjNhL3N0cmVhbS9obHMAAQAsaHR0cHM6Ly9zb3VuZGNsb3VkLmNvbS80MDR2aW5jZW50L3RhbGstYS1sb3QBADpodHRwczovL2kxLnNuZGNkbi5jb20vYXJ0d29ya3MtRTN1ek5Gc0Y4QzBXLTAtb3JpZ2luYWwuanBnAQAMUVpITkExOTg1Nzg0AApzb3VuZGNsb3VkAAAAAAAAAAA='
/** Token with the fields that LavaSrc adds. */
const LAVASRC =
  'QAACDgMACk5vIERpZ2dpdHkAC0JsYWNrc3RyZWV0AAAAAAAEo4AABjkxNjQ5NgABAB9odHRwczovL2RlZXplci5jb20vdHJhY2svOTE2NDk2AQBpaHR0cHM6Ly9lLWNkbnMtaW1hZ2VzLmR6Y2RuLm5ldC9pbWFnZXMvY292ZXIvZGFlN2EyNjViNzlmYjcxMjc4Y2RlMjUwNDg0OWQ2ZjcvMTAwMHgxMDAwLTAwMDAwMC04MC0wLTAuanBnAQAMVVNJUjE5NjAwOTc4AAZkZWV6ZXIBAChObyBEaWdnaXR5OiBUaGUgVmVyeSBCZXN0IE9mIEJsYWNrc3RyZWV0AQAjaHR0cHM6Ly93d3cuZGVlemVyLmNvbS9hbGJ1bS8xMDMyNTQBACJodHRwczovL3d3dy5kZWV6ZXIuY29tL2FydGlzdC8xODYxAQBqaHR0cHM6Ly9lLWNkbnMtaW1hZ2VzLmR6Y2RuLm5ldC9pbWFnZXMvYXJ0aXN0L2YxNmNhYzM2ZmVjMzkxZjczN2I3ZDQ4MmY1YWM3M2UzLzEwMDB4MTAwMC0wMDAwMDAtODAtMC0wLmpwZwEAT2h0dHBzOi8vY2RuLXByZXZpZXctYS5kemNkbi5uZXQvc3RyZWFtL2MtYTE1Yjg1NzFhYTYyMDBjMDQ0YmY1OWM3NmVkOTEyN2MtNi5tcDMAAAAAAAAAAAA='

/** The same token, to start somewhere else. */
function startingAt(encoded: string, positionMs: bigint): string {
  const bytes = Buffer.from(encoded, 'base64')
  bytes.writeBigInt64BE(positionMs, bytes.length - 8)
  return bytes.toString('base64')
}

describe('tokens of tracks', () => {
  it('say what the documentation of Lavalink says that its token says', () => {
    expect(decodeTrack(VERSION_2)).to.deep.equal({
      encoded: VERSION_2,
      info: {
        identifier: 'dQw4w9WgXcQ',
        isSeekable: true,
        author: 'RickAstleyVEVO',
        length: 212_000,
        isStream: false,
        position: 0,
        title: 'Rick Astley - Never Gonna Give You Up',
        uri: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        artworkUrl: null,
        isrc: null,
        sourceName: 'youtube',
      },
      pluginInfo: {},
      userData: {},
    })
  })

  it('of Lavalink and of plug-ins are read with all their fields, and past the details of plug-ins', () => {
    const { info } = decodeTrack(SOUNDCLOUD)
    expect(info).to.include({ title: 'Talk a Lot', author: '404vincent', length: 125_910, isrc: 'QZHNA1985784' })
    expect(info).to.include({ sourceName: 'soundcloud', uri: 'https://soundcloud.com/404vincent/talk-a-lot' })
    expect(info.artworkUrl).to.equal('https://i1.sndcdn.com/artworks-E3uzNFsF8C0W-0-original.jpg')
    const { info: deezer } = decodeTrack(LAVASRC)
    expect(deezer).to.include({ title: 'No Diggity', author: 'Blackstreet', length: 304_000, isrc: 'USIR19600978' })
    expect(deezer).to.include({ sourceName: 'deezer', identifier: '916496', uri: 'https://deezer.com/track/916496' })
  })

  it('are written byte for byte as Lavalink wrote them', () => {
    expect(toTrackObject(readTrack(SOUNDCLOUD)).encoded).to.equal(SOUNDCLOUD)
    expect(toTrackObject(readTrack(SOUNDCLOUD)).info).to.deep.equal(decodeTrack(SOUNDCLOUD).info)
  })

  it('say where they start, within what numbers can hold', () => {
    expect(decodeTrack(startingAt(SOUNDCLOUD, 61_000n)).info.position).to.equal(61_000)
    expect(decodeTrack(startingAt(LAVASRC, 5n)).info.position).to.equal(5)
    expect(decodeTrack(startingAt(SOUNDCLOUD, -1n)).info.position).to.equal(0)
  })

  it('come back as they were sent, even where spaces stand for plus signs', () => {
    const track = { ...readTrack(SOUNDCLOUD), title: '\u07ff\u07ff\u07ff>>>~~~' }
    const { encoded } = toTrackObject(track)
    expect(encoded).to.contain('+')
    expect(decodeTrack(encoded.replaceAll('+', ' ')).info.title).to.equal(track.title)
  })

  it('of streams and of files of unknown length hold the largest number of 64 bits, on the wire too', () => {
    for (const isStream of [true, false]) {
      const object = toTrackObject({ ...readTrack(SOUNDCLOUD), isStream, lengthMs: 0 })
      expect(object.info.length).to.equal(LONGEST)
      expect(decodeTrack(object.encoded)).to.deep.equal(object)
      expect(toWireJson({ tracks: [object] })).to.contain('"length":9223372036854775807,')
    }
    expect(toWireJson({ a: 1, b: [2.5, null, 'x'] }), 'and nothing else changes').to.equal('{"a":1,"b":[2.5,null,"x"]}')
  })

  it('that are none are refused in words', () => {
    for (const bad of ['', 'x', 'AAAA', '!!!!', VERSION_2.slice(0, 80), `${VERSION_2}AAAA`, 'A'.repeat(40_000)]) {
      for (const read of [decodeTrack, readTrack]) {
        expect(() => read(bad))
          .to.throw(Fault)
          .with.property('code', 'bad_request')
      }
    }
  })
})
