import { expect } from 'chai'
import { createMemberStage, type MemberStage } from '../../support/members.ts'

describe('positions in the queue, by title', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const play = (query: string) =>
    stage.music.play(stage.scope, stage.guild.id, { query, channelId: stage.sandbox.demo.voiceChannelId })
  const offered = async (command: string, option: string, typed: string) =>
    (await stage.complete(command, option, typed, { by: 1 })).choices

  it('are offered while a member types a title or a number, and the choice is the position', async () => {
    await play('now Golden_Hour Silver Goldrush')
    expect(await offered('skipto', 'position', '')).to.deep.equal([
      { name: '1. Golden_Hour · somebody', value: 1 },
      { name: '2. Silver · somebody', value: 2 },
      { name: '3. Goldrush · somebody', value: 3 },
    ])
    expect((await offered('move', 'from', 'GOLD')).map(({ value }) => value)).to.deep.equal([1, 3])
    expect((await offered('move', 'to', '2')).map(({ value }) => value)).to.deep.equal([2])
    const [{ value } = { value: '' }] = await offered('remove', 'position', 'rush')
    expect((await stage.type('remove', { position: value }, { by: 0 })).text).to.equal('Removed **Goldrush**')
    expect(await offered('remove', 'position', 'rush')).to.deep.equal([])
  })

  it('stay within what Discord shows, of a queue of 5,000 and of titles of any length', async () => {
    await play(['now', ...Array.from({ length: 4999 }, (_, index) => `song${index + 1}`), 'x'.repeat(300)].join(' '))
    const found = await offered('skipto', 'position', 'song')
    expect(found.map(({ value }) => value)).to.deep.equal(Array.from({ length: 25 }, (_, index) => index + 1))
    expect((await offered('skipto', 'position', '4999'))[0]?.name).to.equal('4999. song4999 · somebody')
    const [long] = await offered('skipto', 'position', 'xxx')
    expect(long?.name)
      .to.have.length(100)
      .and.match(/^5000\. x+…$/)
  })

  it('are empty where nothing plays', async () => {
    expect(await offered('remove', 'position', 'a')).to.deep.equal([])
  })
})
