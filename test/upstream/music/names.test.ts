import { expect } from 'chai'
import { isSameSong, songNames } from '../../../upstream/music/title-matching.ts'

const name = (title: string, author: string) => {
  const [first] = songNames({ title, author })
  return `${first?.artist} | ${first?.title}`
}

describe('the names of songs', () => {
  for (const [title, author, expected] of [
    ['Night Ferry (Official Video) [4K]', 'HarbourLightsVEVO', 'HarbourLights | Night Ferry'],
    ['Night Ferry', 'The Harbour Lights - Topic', 'The Harbour Lights | Night Ferry'],
    ['The Harbour Lights - Night Ferry (Lyric Video)', 'Quay Records', 'The Harbour Lights | Night Ferry'],
    ['The Harbour Lights – Night Ferry', 'The Harbour Lights', 'The Harbour Lights | Night Ferry'],
    ['Night Ferry - The Harbour Lights', 'the harbour lights', 'The Harbour Lights | Night Ferry'],
    ['Night Ferry (feat. Low Tide) #shorts 🎵', 'Quay', 'Quay | Night Ferry'],
    ['Night Ferry ft. Low Tide', 'Quay', 'Quay | Night Ferry'],
    ['Night Ferry (Remix)', 'Quay', 'Quay | Night Ferry (Remix)'],
    ['Night Ferry - 2011 Remaster', 'Quay', 'Quay | Night Ferry'],
    ['Night Ferry - Low Tide Remix', 'Quay', 'Quay | Night Ferry - Low Tide Remix'],
    ['Quay - Night Ferry (Live)', 'Uploads', 'Quay | Night Ferry (Live)'],
    ['Quay - Live Forever', 'Uploads', 'Quay | Live Forever'],
    ['Quay - Stereo Love', 'Uploads', 'Quay | Stereo Love'],
    ['Night Ferry - From "Tides" Soundtrack', 'Quay', 'Quay | Night Ferry'],
    ['【MV】夜の船「Official」', '港', '港 | 夜の船'],
    ['“Ｎｉｇｈｔ”  Ferry', 'Roxy Music', 'Roxy Music | Night Ferry'],
    ['(Official Video)', 'Quay', 'Quay | (Official Video)'],
  ] as const) {
    it(`of “${title}” by ${author}`, () => {
      expect(name(title, author)).to.equal(expected)
    })
  }

  const wanted = { title: 'Night Ferry', author: 'The Harbour Lights', lengthMs: 214_000, isrc: null }
  const found = (title: string, author: string, more: { lengthMs?: number; isStream?: boolean; isrc?: string } = {}) =>
    isSameSong(wanted, { title, author, lengthMs: 214_000, isStream: false, isrc: null, ...more })

  it('tell the same song from others', () => {
    expect(found('The Harbour Lights - Night Ferry (Official Video)', 'Quay Records')).to.equal(true)
    expect(found('NIGHT FERRY', 'Harbour Lights')).to.equal(true)
    expect(found('Night Ferry', 'The Harbour Lights', { lengthMs: 221_000 })).to.equal(true)
    expect(found('Night Ferry', 'The Harbour Lights', { lengthMs: 0 })).to.equal(true)
    expect(found('Night Ferry', 'The Harbour Lights', { lengthMs: 240_000 })).to.equal(false)
    expect(found('Night Ferry', 'The Harbour Lights', { isStream: true })).to.equal(false)
    expect(found('Night Ferry (Karaoke)', 'The Harbour Lights')).to.equal(false)
    expect(found('Night Ferry (Live)', 'The Harbour Lights')).to.equal(false)
    expect(found('Day Ferry', 'The Harbour Lights')).to.equal(false)
    expect(found('Night Ferry', 'Somebody')).to.equal(false)
  })

  it('know a song by the first of several artists', () => {
    const many = { ...wanted, author: 'The Quays, Somebody Else, Yet Another' }
    const other = { title: 'Night Ferry', lengthMs: 214_000, isStream: false, isrc: null }
    expect(isSameSong(many, { ...other, author: 'The Quays' })).to.equal(true)
    expect(isSameSong(many, { ...other, author: 'Another' })).to.equal(false)
  })

  it('believe the number of a recording before everything else', () => {
    const numbered = { ...wanted, isrc: 'ZZABC2600001' }
    const other = { title: 'X', author: 'Y', lengthMs: 1, isStream: false, isrc: 'ZZABC2600001' }
    expect(isSameSong(numbered, other)).to.equal(true)
    expect(isSameSong(wanted, { ...other, isrc: null })).to.equal(false)
  })
})
