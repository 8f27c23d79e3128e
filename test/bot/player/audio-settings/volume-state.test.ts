import { expect } from 'chai'
import { FULL, setLevel, setMuted, unmute } from '../../../../bot/player/audio-settings/volume-state.ts'

describe('volume', () => {
  it('begins at 100 percent, not muted', () => {
    expect(FULL).to.deep.equal({ level: 100, muted: false, levelBeforeMute: null })
  })

  it('keeps the level when a mute ends whose beginning is not known', () => {
    expect(unmute({ level: 30, muted: true, levelBeforeMute: null }).level).to.equal(30)
  })

  it('does not touch the level when a mute begins, and repeats safely', () => {
    const muted = setMuted(setLevel(FULL, 60), true)
    expect(muted).to.deep.equal({ level: 60, muted: true, levelBeforeMute: 60 })
    expect(setMuted(muted, true)).to.equal(muted)
  })

  it('keeps the level of the first mute when muted again after a change', () => {
    const changed = setLevel(setMuted(setLevel(FULL, 60), true), 30)
    expect(unmute(setMuted(changed, true)).level).to.equal(60)
  })

  it('brings the level back to what it was when the mute ends by unmute', () => {
    const changed = setLevel(setMuted(setLevel(FULL, 60), true), 30)
    expect(changed.level).to.equal(30)
    expect(unmute(changed)).to.deep.equal({ level: 60, muted: false, levelBeforeMute: null })
  })

  it('leaves the level as it is now when muted is set to false', () => {
    const changed = setLevel(setMuted(setLevel(FULL, 60), true), 30)
    expect(setMuted(changed, false)).to.deep.equal({ level: 30, muted: false, levelBeforeMute: null })
  })

  it('changes nothing when there is no mute to end', () => {
    const now = setLevel(FULL, 60)
    expect(unmute(now)).to.equal(now)
    expect(setMuted(now, false)).to.equal(now)
    expect(setLevel(now, 60)).to.equal(now)
  })
})
