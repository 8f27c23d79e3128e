import { expect } from 'chai'
import { createMemberStage, type MemberStage } from '../../support/members.ts'

describe('playlists of members', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    await stage.sit(1)
    await stage.sit(2)
  })
  afterEach(() => stage.close())

  const type = (command: string, options: Record<string, unknown> = {}, by = 1) => stage.type(command, options, { by })
  const said = async (...call: Parameters<typeof type>) => (await type(...call)).text

  it('take the current track, a song or all tracks of a link, into a new one or at the end', async () => {
    expect(await said('playlist add', { name: 'Trip' })).to.match(/^Nothing is playing/)
    await type('play', { query: 'A' })
    expect(await said('playlist add', { name: ' Trip ' })).to.equal('Added **A** to “Trip”.')
    expect(await said('playlist add', { name: 'trip', query: 'B C' })).to.equal('Added 2 tracks to “trip”.')
    const { choices } = await stage.complete('playlist add', 'query', 'night', { by: 1 })
    expect(await said('playlist add', { name: 'Trip', query: choices[0]?.value })).to.equal(
      'Added **night** to “Trip”.',
    )
    expect(await said('playlist add', { name: 'Trip', query: 'nothing' })).to.match(/^No results/)
    const shown = await type('playlist list', { name: 'TRIP' })
    expect(shown.isPrivate).to.equal(true)
    expect(shown.text.match(/\*\*\w+\*\*/gu)).to.deep.equal(['**A**', '**B**', '**C**', '**night**'])
    expect(shown.text).to.contain('🗂️ Trip').and.to.contain('4 tracks')
  })

  it('are renamed unless another one has the name', async () => {
    await type('playlist add', { name: 'one', query: 'A' })
    await type('playlist add', { name: 'two', query: 'B' })
    expect(await said('playlist rename', { name: 'one', to: 'Two' })).to.equal(
      'You already have a playlist called “Two”.',
    )
    expect(await said('playlist rename', { name: 'one', to: 'ONE' })).to.equal('Renamed “one” to “ONE”.')
    expect(await said('playlist rename', { name: 'none', to: 'x' })).to.match(/^You have no playlist called “none”/)
    expect(await said('playlist rename', { name: 'two', to: '  ' })).to.match(/isn’t valid/)
    expect(await said('playlist list'))
      .to.contain('**ONE** · 1')
      .and.to.contain('**two** · 1')
  })

  it('are shared for all to play and to copy, until they are deleted or renamed', async () => {
    const name = '夜のドライブと長い長い名前のプレイリスト'
    await type('playlist add', { name, query: 'A B' })
    const shared = await type('playlist share', { name })
    expect(shared.isPrivate).to.equal(false)
    const [play = '', copy = ''] = shared.customIds
    const press = async (customId: string, by: number) => (await stage.press(shared.messageId, customId, { by })).text
    expect(await press(copy, 2)).to.match(/^Saved 2 tracks/)
    expect(await said('playlist list', { name }, 2)).to.contain('**B**')
    expect(await press(copy, 2)).to.match(/^You already have a playlist/)
    expect(await press(copy, 1)).to.match(/^You already have a playlist/)
    expect(await press(play, 3)).to.match(/^Join a voice channel/)
    expect(await press(play, 2))
      .to.contain('Now playing')
      .and.to.contain('A')
    await type('playlist add', { name, query: 'C' })
    expect(await press(play, 2)).to.contain('Added 3 tracks')
    await type('playlist rename', { name, to: 'x' })
    expect(await press(play, 2)).to.equal('This playlist was deleted or renamed.')
    expect(await said('playlist share', { name: 'none' })).to.match(/^You have no playlist called “none”/)
  })
})
