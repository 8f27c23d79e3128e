import { expect } from 'chai'
import type { Audible } from '../../../../bot/audio/node/protocol.ts'
import { subjectOf, Suspects } from '../../../../bot/audio/watchdog/suspects.ts'
import { NO_MARK } from '../../../../bot/audio/watchdog/track-marks.ts'

const player = (guildId: string) => ({ botId: '1', guildId })

function track(name: string): Audible {
  return { kind: 'http', url: `https://a.example/${name}`, codec: 'other', isStream: false, identity: `http ${name}` }
}

describe('the suspects of an audio thread that ended', () => {
  it('name the track whose mark the thread left', () => {
    const suspects = new Suspects()
    const { mark = NO_MARK } = suspects.mark(track('a'))
    suspects.mark(track('b'))
    expect(suspects.find(mark, true)).to.deep.equal({ identity: 'http a', group: 'a.example' })
  })

  it('without a mark name the youngest track that was there at two ends in a row', () => {
    const suspects = new Suspects()
    for (const name of ['old', 'young']) {
      suspects.mark(track(name))
      suspects.began(player(name), track(name))
    }
    expect(suspects.find(NO_MARK, true)).to.equal(null)
    // The tracks come back in any order, and a new one begins.
    for (const name of ['young', 'old', 'new']) {
      suspects.mark(track(name))
      suspects.began(player(name), track(name))
    }
    expect(suspects.find(NO_MARK, false)?.identity).to.equal('http young')
    suspects.left(player('young'))
    expect(suspects.find(NO_MARK, true), 'after a minute without trouble').to.equal(null)
  })

  it('know no group of hosts but those that callers name', () => {
    expect(subjectOf({ ...track('x'), identity: 'soundcloud 5' })).to.deep.equal({ identity: 'soundcloud 5' })
    expect(subjectOf({ kind: 'file', path: '/a.opus', codec: 'ogg-opus' })).to.deep.equal({ identity: '/a.opus' })
  })
})
