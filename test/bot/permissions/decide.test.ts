import { expect } from 'chai'
import {
  decideOperation,
  decidePermission,
  votesNeededOf,
  type Decision,
  type Situation,
} from '../../../bot/permissions/decide.ts'
import { PERMISSION_NAMES, PERMISSIONS, ruleOf, rulesOf } from '../../../bot/permissions/permission-table.ts'
import { OPERATIONS, type OperationName } from '../../../bot/player/operations.ts'

const VOICE = '20'
const MANY = ['ana', 'bo', 'cy', 'di']

/** Ana wants something; Bo asked for what plays, Cy for what waits; four listen. */
function situation(changes: Partial<Situation> = {}): Situation {
  return {
    settings: { djRoleId: 'dj', voteRatio: 0.5, permissions: {} },
    member: { id: 'ana', voiceChannelId: VOICE, roleIds: new Set(), isManager: false },
    channelId: VOICE,
    listeners: MANY,
    requests: { isPlaying: true, current: 'bo', queue: ['cy', 'ana'] },
    ...changes,
  }
}

const { member } = situation()
const NEEDS_VOTE = ['stop', 'clear', 'seek', 'volume', 'filters', 'skip', 'pause', 'loop'] as const

function seekUnder(rule: string, requests = situation().requests): Decision {
  const settings = { ...situation().settings, permissions: { seek: rule } }
  return decidePermission(situation({ settings, requests }), 'seek')
}

describe('permissions', () => {
  it('by default ask a vote of two in four for all that others would miss', () => {
    for (const permission of NEEDS_VOTE) {
      expect(decidePermission(situation(), permission)).to.deep.equal({ outcome: 'vote', permission, votesNeeded: 2 })
    }
  })

  it('by default let every listener add tracks and end a silence', () => {
    expect(decidePermission(situation(), 'play').outcome).to.equal('allowed')
    expect(decideOperation(situation(), 'patch', { paused: false }).outcome).to.equal('allowed')
    expect(decideOperation(situation(), 'unmute', {}).outcome).to.equal('allowed')
  })

  it('let managers do all of it, wherever they are', () => {
    const manager = { ...member, isManager: true, voiceChannelId: null }
    for (const permission of PERMISSION_NAMES) {
      expect(decidePermission(situation({ member: manager }), permission).outcome).to.equal('allowed')
    }
  })

  it('let DJs do all of it where the music is, and no one from another channel', () => {
    const dj = { ...member, roleIds: new Set(['dj']) }
    expect(decidePermission(situation({ member: dj }), 'stop').outcome).to.equal('allowed')
    const away = { ...dj, voiceChannelId: '21' }
    for (const permission of PERMISSION_NAMES) {
      const refused = { outcome: 'refused', permission, reason: 'elsewhere' }
      expect(decidePermission(situation({ member: away }), permission)).to.deep.equal(refused)
    }
  })

  it('let a member do all of it who listens alone, no matter what the guild has set', () => {
    for (const permission of PERMISSION_NAMES) {
      const settings = { djRoleId: null, voteRatio: 1, permissions: { [permission]: 'dj' } }
      expect(decidePermission(situation({ settings, listeners: ['ana'] }), permission).outcome).to.equal('allowed')
    }
  })

  it('let requesters do at once what concerns their tracks alone', () => {
    const mine = { isPlaying: true, current: 'ana', queue: ['cy', 'ana', 'ana'] }
    const decided = <Name extends OperationName>(name: Name, input: Parameters<typeof decideOperation<Name>>[2]) =>
      decideOperation(situation({ requests: mine }), name, input).outcome
    expect(decided('skip', {})).to.equal('allowed')
    expect(decided('patch', { positionMs: 5 })).to.equal('allowed')
    expect(decided('remove', { position: 2 })).to.equal('allowed')
    expect(decided('move', { from: 3, to: 2 })).to.equal('allowed')
    // Cy's track waits as well.
    expect(decided('close', {})).to.equal('vote')
    expect(decided('clear', {})).to.equal('vote')
    expect(decided('patch', { volume: 0 })).to.equal('vote')
    expect(decided('skipTo', { position: 2 })).to.equal('vote')
    expect(decided('remove', { position: 1 })).to.equal('vote')
    expect(decided('move', { from: 2, to: 1 })).to.equal('vote')
  })

  it('count the requester of all that plays and waits as in charge of it', () => {
    const requests = { isPlaying: true, current: 'ana', queue: ['ana'] }
    for (const permission of NEEDS_VOTE) {
      expect(decidePermission(situation({ requests }), permission).outcome).to.equal('allowed')
    }
  })

  it('do not let the sound be changed without a vote while nothing plays, for it lasts', () => {
    const requests = { isPlaying: false, current: null, queue: [] }
    expect(decideOperation(situation({ requests }), 'patch', { volume: 0 }).outcome).to.equal('vote')
    expect(decideOperation(situation({ requests }), 'mute', { muted: true }).outcome).to.equal('vote')
  })

  it('hold several changes at once to the strictest of them', () => {
    const settings = { ...situation().settings, permissions: { seek: 'everyone', volume: 'dj' } }
    expect(decideOperation(situation({ settings }), 'patch', { positionMs: 5 }).outcome).to.equal('allowed')
    const both = decideOperation(situation({ settings }), 'patch', { positionMs: 5, loop: 'off', volume: 5 })
    expect(both).to.deep.equal({ outcome: 'refused', permission: 'volume', reason: 'dj' })
  })

  it('follow what the guild has set', () => {
    expect(seekUnder('everyone').outcome).to.equal('allowed')
    expect(seekUnder('requester')).to.deep.equal({ outcome: 'refused', permission: 'seek', reason: 'requester' })
    expect(seekUnder('dj')).to.deep.equal({ outcome: 'refused', permission: 'seek', reason: 'dj' })
    const mine = { isPlaying: true, current: 'ana', queue: [] }
    expect(seekUnder('requester', mine).outcome).to.equal('allowed')
    expect(seekUnder('dj', mine)).to.deep.equal({ outcome: 'refused', permission: 'seek', reason: 'dj' })
  })

  it('fall back to their default where something unknown was set', () => {
    const settings = { permissions: { play: 'vote', seek: 'no one', gone: 'dj' } }
    expect(ruleOf(settings, 'play')).to.equal('everyone')
    expect(ruleOf(settings, 'seek')).to.equal('vote')
    for (const permission of PERMISSION_NAMES) {
      expect(rulesOf(permission), permission).to.include(PERMISSIONS[permission].rule)
    }
  })

  it('let only those vote who hear the music', () => {
    const refused = { outcome: 'refused', permission: 'stop', reason: 'deafened' }
    expect(decidePermission(situation({ listeners: ['bo', 'cy'] }), 'stop')).to.deep.equal(refused)
  })

  it('never take the voice of one for a vote, unless the guild asks for no votes at all', () => {
    expect(votesNeededOf({ voteRatio: 0.5 }, 2)).to.equal(2)
    expect(votesNeededOf({ voteRatio: 0.1 }, 4)).to.equal(2)
    expect(votesNeededOf({ voteRatio: 0.5 }, 7)).to.equal(4)
    expect(votesNeededOf({ voteRatio: 1 }, 7)).to.equal(7)
    expect(votesNeededOf({ voteRatio: 0 }, 7)).to.equal(1)
  })

  it('are needed for everything that changes a player', () => {
    const inputs: Readonly<Record<string, object>> = {
      patch: { paused: true, volume: 1, loop: 'off', filters: {}, autoplay: true, positionMs: 0 },
      remove: { position: 1 },
      move: { from: 1, to: 2 },
      removeSeveral: { positions: [1] },
      skipTo: { position: 2 },
      mute: { muted: true },
    }
    const { requests } = situation()
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      const needs = operation.needs(requests, (inputs[name] ?? {}) as never)
      const isChange = operation.isChange || name === 'close'
      expect(needs.length > 0, name).to.equal(isChange)
    }
  })
})
