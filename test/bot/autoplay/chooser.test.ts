import { expect } from 'chai'
import {
  isAllowed,
  rankProposals,
  verdictOf,
  type HeardSong,
  type Listening,
  type Proposal,
} from '../../../bot/autoplay/chooser.ts'
import { songOf } from '../../../bot/autoplay/song.ts'

function proposal(song: string, artist: string, more: Partial<Proposal> = {}): Proposal {
  const wanted = { title: song, author: artist, lengthMs: 0, isrc: null }
  return {
    song,
    artist,
    wanted,
    track: null,
    rank: 0,
    weight: 1,
    provider: 'deezer',
    because: 'similar',
    of: 'S',
    ...more,
  }
}

function played(song: string, artist: string, verdict: HeardSong['verdict'] = 'neutral'): HeardSong {
  return { song, artist, verdict }
}

const nothing: Listening = { plays: [], favourites: new Set() }
const songs = (proposals: readonly Proposal[], listening: Partial<Listening> = {}) =>
  rankProposals(proposals, { ...nothing, ...listening }, () => 0.5).map(({ song }) => song)

function of(heardMs: number, ended: 'finished' | 'skipped' | 'failed' | 'closed', lengthMs = 200_000) {
  return verdictOf({ heardMs, lengthMs, ended })
}

describe('what autoplay chooses', () => {
  it('is no song of the last 50', () => {
    const plays = Array.from({ length: 60 }, (_, at) => played(`s${at}`, `a${at}`))
    const all = plays.map(({ song }) => proposal(song, 'other'))
    expect(songs(all, { plays })).to.have.members(plays.slice(0, 10).map(({ song }) => song))
  })

  it('has no third track of an artist in a row, but any number of artists that are not known', () => {
    const plays = [played('x', 'a'), played('y', 'a')]
    expect(songs([proposal('z', 'a'), proposal('w', 'b', { rank: 9 })], { plays })).to.deep.equal(['w'])
    expect(isAllowed({ song: 'z', artist: '' }, [played('x', ''), played('y', '')])).to.equal(true)
    expect(isAllowed({ song: 'z', artist: 'a' }, [played('x', 'a'), played('y', 'b')])).to.equal(true)
    expect(isAllowed({ song: 'z', artist: 'a' }, [played('x', 'a', 'rejected')])).to.equal(false)
    expect(isAllowed({ song: 'z', artist: 'a' }, [played('x', 'a', 'rejected'), played('y', 'b')])).to.equal(true)
  })

  it('counts what could not be played among neither the 50 nor those in a row, and does not try it again', () => {
    const heard = Array.from({ length: 50 }, (_, at) => played(`s${at}`, `a${at}`))
    const plays = [...heard.slice(0, 49), played('broken', 'b', 'failed'), ...heard.slice(49)]
    expect(
      songs([proposal('s0', 'other'), proposal('broken', 'other'), proposal('new', 'c')], { plays }),
    ).to.deep.equal(['new'])
    const row = [played('x', 'a'), played('broken', 'b', 'failed'), played('y', 'a')]
    expect(isAllowed({ song: 'z', artist: 'a' }, row)).to.equal(false)
  })

  it('is what several recommend before what one does, and says whose word counted most', () => {
    const two = [proposal('both', 'a', { rank: 3 }), proposal('both', 'a', { rank: 4, provider: 'lastfm' })]
    const [first] = rankProposals([proposal('one', 'b'), ...two], nothing, () => 0.5)
    expect(first).to.include({ song: 'both', provider: 'deezer' })
  })

  it('is less of what was skipped early and more of what was heard and is kept', () => {
    const list = ['a', 'b', 'c', 'd'].map((artist, rank) => proposal(`song of ${artist}`, artist, { rank }))
    expect(songs(list)).to.deep.equal(['song of a', 'song of b', 'song of c', 'song of d'])
    const plays = [played('1', 'a', 'rejected'), played('2', 'c', 'liked'), played('3', 'c', 'liked'), played('4', 'x')]
    expect(songs(list, { plays })[3]).to.equal('song of a')
    expect(songs(list, { favourites: new Set(['song of d']) })[0]).to.equal('song of d')
    const long = [...Array(50)].map((_, at) => played(`s${at}`, `x${at}`))
    expect(songs(list, { plays: [played('song of a', '', 'rejected'), ...long] })[3]).to.equal('song of a')
  })

  it('takes a track heard by half or to the end as liked, and a skip within 20 s as a rejection', () => {
    expect([of(200_000, 'finished'), of(100_000, 'skipped'), of(100_000, 'closed')]).to.deep.equal(
      Array(3).fill('liked'),
    )
    expect([of(19_999, 'skipped'), of(0, 'skipped', 0)]).to.deep.equal(['rejected', 'rejected'])
    expect([of(20_000, 'skipped'), of(0, 'failed'), of(5000, 'closed'), of(90_000, 'skipped', 0)]).to.deep.equal(
      Array(4).fill('neutral'),
    )
  })

  it('knows one song by its several uploads', () => {
    const names = [
      { title: 'Night Ferry (Official Video)', author: 'The Harbour Lights - Topic' },
      { title: 'The Harbour Lights - Night Ferry', author: 'The Harbour LightsVEVO' },
    ].map(songOf)
    expect(names[0]).to.deep.equal(names[1]).and.to.include({ artist: 'the harbour lights' })
    expect(songOf({ title: 'A', author: 'X, Y' }).artist).to.equal('x')
    expect(songOf({ title: 'A', author: 'Unknown artist' }).artist).to.equal('')
  })
})
