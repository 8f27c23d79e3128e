import { expect } from 'chai'
import type { Permission, PermissionSettings } from '../../../bot/permissions/permission-table.ts'
import { createVotes, VOTE_MS, type Motion, type Vote, type VoteState } from '../../../bot/permissions/votes.ts'
import { Fault } from '../../../lib/errors.ts'
import { createLog } from '../../../lib/log.ts'
import { until } from '../../support/bots.ts'
import { createHandClock, settle } from '../../support/manual-clock.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'

const PLACE = { projectId: 'p', botId: 'b', guildId: 'g', channelId: 'c' }

/** Votes over a clock and listeners that the test sets. */
function createOffice() {
  const clock = createHandClock()
  const settings = { djRoleId: null, voteRatio: 0.5, permissions: {} as Record<string, string> }
  const world = { listeners: ['ana', 'bo', 'cy', 'di'], done: [] as string[], fails: false, passed: 0 }
  const votes = createVotes({
    clock,
    log: createLog('silent'),
    listeners: () => world.listeners,
    settings: { known: (): PermissionSettings => settings },
    onPassed: () => (world.passed += 1),
  })
  function motion(key: string, permission: Permission): Motion {
    return {
      key,
      permission,
      subject: { asked: { name: 'shuffle', input: {}, volume: 100 }, track: null },
      needs: () => [],
      async run() {
        if (world.fails) throw new Fault('conflict', 'Gone.')
        world.done.push(key)
        return key
      },
    }
  }
  /** All states that a vote goes through from now on. */
  function follow({ id }: Vote): string[] {
    const seen: string[] = []
    votes.watch(id, ({ state, voterIds, votesNeeded }) => seen.push(`${state} ${voterIds.length}/${votesNeeded}`))
    return seen
  }
  const cast = (member: string, key = 'stop', permission: Permission = 'stop') =>
    votes.cast(PLACE, motion(key, permission), member)
  return Object.assign(world, { clock, settings, votes, follow, cast })
}

function statesOf(all: readonly { readonly vote: Vote }[]): readonly VoteState[] {
  return all.map(({ vote }) => vote.state)
}

describe('a vote', () => {
  it('counts each listener once, and carries out what they agree on once', async () => {
    const { cast, done, votes } = createOffice()
    const { vote, isNew, output } = cast('ana')
    expect([isNew, output, vote.voterIds, vote.votesNeeded]).to.deep.equal([true, null, ['ana'], 2])
    expect(cast('ana').output).to.equal(null)
    expect(cast('bo').isNew).to.equal(false)
    await settle()
    expect(done).to.deep.equal(['stop'])
    expect([vote.state, votes.find(vote.id)]).to.deep.equal(['passed', null])
  })

  it('ends after a minute with too few, and then begins from nothing', async () => {
    const { cast, clock, follow } = createOffice()
    const { vote } = cast('ana')
    const seen = follow(vote)
    await clock.advance(VOTE_MS - 1)
    expect(vote.state).to.equal('open')
    await clock.advance(1)
    expect([vote.state, ...seen]).to.deep.equal(['expired', 'expired 1/2'])
    expect(cast('bo').output).to.equal(null)
  })

  it('loses the voice of who leaves, and passes when those who are left are enough', async () => {
    const office = createOffice()
    office.listeners = ['ana', 'bo', 'cy', 'di', 'ed', 'flo']
    const { vote } = office.cast('ana')
    const seen = office.follow(vote)
    office.cast('bo')
    office.listeners = ['bo', 'cy', 'di', 'ed', 'flo']
    office.votes.recount('b', 'g')
    office.listeners = ['ana', 'bo', 'cy', 'di', 'ed']
    office.votes.recount('b', 'g')
    office.listeners = ['ana', 'bo', 'cy', 'di']
    office.votes.recount('b', 'g')
    await settle()
    expect(seen).to.deep.equal(['open 2/3', 'open 1/3', 'open 2/3', 'passed 2/2'])
    expect([office.done, office.passed]).to.deep.equal([['stop'], 1])
  })

  it('passes for the last listener, and is over without any who agrees', async () => {
    const office = createOffice()
    office.cast('ana')
    office.listeners = ['ana']
    office.votes.recount('b', 'g')
    await settle()
    expect(office.done).to.deep.equal(['stop'])
    office.listeners = ['ana', 'bo', 'cy']
    const { vote } = office.cast('ana')
    office.listeners = ['bo', 'cy']
    office.votes.recount('b', 'g')
    expect(vote.state).to.equal('over')
  })

  it('does not count who does not hear the music', () => {
    const office = createOffice()
    const { vote } = office.cast('ana')
    expect(office.cast('elsewhere').output).to.equal(null)
    expect(vote.voterIds).to.deep.equal(['ana'])
  })

  it('ends with the track where it is about the track, with the player, and with the service', () => {
    const { votes, cast } = createOffice()
    const all = [cast('ana', 'skip', 'skip'), cast('bo', 'seek', 'seek'), cast('cy', 'clear', 'clear')]
    votes.endOfTrack('b', 'other')
    expect(statesOf(all)).to.deep.equal(['open', 'open', 'open'])
    votes.endOfTrack('b', 'g')
    expect(statesOf(all)).to.deep.equal(['over', 'over', 'open'])
    votes.endOfPlayer('b', 'g')
    expect(statesOf(all)).to.deep.equal(['over', 'over', 'over'])
    const last = cast('ana')
    votes.close()
    expect(statesOf([last])).to.deep.equal(['over'])
  })

  it('ends when the guild changes the rule, and follows the share that it asks for', async () => {
    const { votes, cast, settings, done } = createOffice()
    const first = cast('ana')
    settings.permissions['stop'] = 'dj'
    votes.recount('b', 'g')
    expect(first.vote.state).to.equal('over')
    settings.permissions = {}
    settings.voteRatio = 1
    const { vote } = cast('ana')
    cast('bo')
    expect(vote.votesNeeded).to.equal(4)
    settings.voteRatio = 0.5
    votes.recount('b', 'g')
    await settle()
    expect(done).to.deep.equal(['stop'])
  })

  it('is the only one of the member who started it and found none who agrees, and one of five on a player', () => {
    const office = createOffice()
    office.listeners = ['ana', 'bo', 'cy', 'di', 'ed', 'flo']
    const first = office.cast('ana', 'volume 10')
    const second = office.cast('ana', 'volume 20')
    expect(statesOf([first, second])).to.deep.equal(['over', 'open'])
    for (const member of ['bo', 'cy', 'di', 'ed']) office.cast(member, `by ${member}`)
    expect(() => office.cast('flo', 'one more')).to.throw(Fault, 'Vote limit reached (5 open)')
    expect(office.cast('flo', 'by bo').vote.voterIds).to.deep.equal(['bo', 'flo'])
    expect(statesOf([office.cast('ed', 'again')])).to.deep.equal(['open'])
  })

  it('says so when what was agreed on is no longer possible', async () => {
    const office = createOffice()
    office.fails = true
    const { vote } = office.cast('ana')
    const seen = office.follow(vote)
    let why: unknown
    await office.cast('bo').output?.catch((err: unknown) => (why = err))
    expect(why).to.be.instanceOf(Fault)
    expect([seen.at(-1), office.passed]).to.deep.equal(['failed 2/2', 0])
  })
})

describe('a vote in the channel', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    for (const member of [1, 2, 3, 4]) await stage.sit(member)
    await stage.type('play', { query: 'A B C' }, { by: 1 })
  })
  afterEach(() => stage.close())

  const info = () => stage.music.info(stage.scope, stage.guild.id)
  const shown = (messageId: string): string => {
    const message = stage.messages().find(({ id }) => id === messageId)
    return message ? `${textOf(message)} ${message.components.length}` : 'gone'
  }
  const member = (index: number, path: string, body: object) =>
    stage.control('POST', `/guilds/${stage.guild.id}/members/${stage.ids[index]}/${path}`, body)

  it('shows how it stands to everyone, takes voices by its button, and says what came of it', async () => {
    await stage.type('settings votes', { percent: 75 })
    const vote = await stage.type('volume', { percent: 50 }, { by: 2, locale: 'de' })
    expect(vote.isPrivate).to.equal(false)
    expect(vote.text).to.contain('🗳️ Lautstärke auf 50 % senken?\n▰▱▱ **1 von 3** Stimmen')
    const [button = ''] = vote.customIds
    expect((await stage.press(vote.messageId, button, { by: 2 })).text).to.equal('You’ve already voted.')
    expect((await stage.press(vote.messageId, button, { by: 3 })).answer).to.equal('deferred update')
    await until('the second voice is shown', () => shown(vote.messageId).includes('▰▰▱ **2 von 3**'))
    expect((await info()).volume).to.equal(100)
    expect((await stage.type('volume', { percent: 50 }, { by: 4 })).text).to.equal('Volume: 50%')
    expect((await info()).volume).to.equal(50)
    await until('it says so', () => shown(vote.messageId).endsWith('✅ Angenommen. 0'))
  })

  it('is decided at once by who needs no vote', async () => {
    const vote = await stage.type('stop', {}, { by: 2 })
    const [button = ''] = vote.customIds
    expect((await stage.press(vote.messageId, button, { by: 1 })).answer).to.equal('deferred update')
    await until('the player is closed', async () =>
      info().then(
        () => false,
        () => true,
      ),
    )
    await until('it says so', () => shown(vote.messageId).includes('✅'))
  })

  it('does not take the voice of who is elsewhere or deafened, and passes when those leave who have not agreed', async () => {
    await stage.type('settings votes', { percent: 100 })
    const vote = await stage.type('clear', {}, { by: 2 })
    const [button = ''] = vote.customIds
    await stage.sit(4, stage.sandbox.demo.secondVoiceChannelId)
    expect((await stage.press(vote.messageId, button, { by: 4 })).text).to.contain('Join that channel')
    await until('fewer are needed', () => shown(vote.messageId).includes('**1 of 3**'))
    await member(3, 'deafen', { deafened: true })
    expect((await stage.press(vote.messageId, button, { by: 3 })).text).to.contain('Undeafen to vote')
    expect((await info()).queue).to.have.length(2)
    // Two are left who hear it: the requester and the one who agrees.
    await until('fewer still', () => shown(vote.messageId).includes('**1 of 2**'))
    await stage.sit(1, null)
    await until('the queue is empty', async () => (await info()).queue.length === 0)
    await until('it says so', () => shown(vote.messageId).includes('✅ The vote passed.'))
  })

  it('is over with the track that it is about', async () => {
    const vote = await stage.type('seek', { time: '0:30' }, { by: 2 })
    const [button = ''] = vote.customIds
    await stage.type('skip', {}, { by: 1 })
    await until('it says so', () => shown(vote.messageId).includes('This vote was cancelled'))
    expect(shown(vote.messageId).endsWith(' 0')).to.equal(true)
    expect(button).to.match(/^vote:/u)
  })

  it('is on the track that was at the place, not on what has come there since', async () => {
    await stage.type('remove', { position: 2 }, { by: 2 })
    await stage.type('move', { from: 1, to: 2 }, { by: 1 })
    // Now B is there, and the first vote was on C.
    expect((await stage.type('remove', { position: 2 }, { by: 3 })).text)
      .to.contain('**1 of 2**')
      .and.to.contain('B')
    expect((await info()).queue.map(({ title }) => title)).to.deep.equal(['C', 'B'])
  })

  it('does not survive a restart, and its button says so', async () => {
    const vote = await stage.type('stop', {}, { by: 2 })
    const [button = ''] = vote.customIds
    await stage.test.bots.close()
    stage.test.restart()
    await until('the bot is back', () => stage.test.bots.isConnected(stage.scope.botId))
    await until('so is the player', async () =>
      info().then(
        () => true,
        () => false,
      ),
    )
    const message = stage.messages().find(({ id }) => id === vote.messageId)
    // A crash would have left it as it was.
    message.components = [{ type: 1, components: [{ type: 2, style: 1, label: 'x', custom_id: button }] }]
    await stage.press(vote.messageId, button, { by: 3 })
    await until('it says so', () => shown(vote.messageId).includes('This vote was cancelled'))
    expect(shown(vote.messageId).endsWith(' 0')).to.equal(true)
  })
})
