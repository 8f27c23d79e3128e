import { expect } from 'chai'
import { createMemberStage, type MemberStage } from '../../support/members.ts'
import { testSources, trackNamed } from '../../support/stage.ts'

describe('a list of which a site gives a part', () => {
  let stage: MemberStage
  beforeEach(async () => {
    const names = Array.from({ length: 100 }, (_, i) => `song${i}`)
    const find = async () => ({ tracks: names.map(trackNamed), playlist: 'Harbour Nights', total: 2503 })
    stage = await createMemberStage({ sources: { ...testSources, find } })
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const add = async (locale: 'en-US' | 'de' | 'fr' | 'es-ES' | 'pt-BR' | 'ja') =>
    (await stage.type('play', { query: 'https://list.example' }, { by: 1, locale })).text

  it('is added with the number of its tracks, in the language of the member', async () => {
    await stage.type('play', { query: 'first' }, { by: 1 })
    expect(await add('en-US')).to.equal('Added 100 of 2,503 tracks, starting with **song0**')
    expect(await add('de')).to.equal('100 von 2.503 Titeln hinzugefügt, beginnend mit **song0**')
    expect(await add('fr')).to.match(/^100 titres sur 2\s503 ajoutés/u)
    expect(await add('es-ES')).to.equal('100 de 2503 pistas añadidas, empezando por **song0**')
    expect(await add('pt-BR')).to.equal('100 de 2.503 faixas adicionadas, começando por **song0**')
    expect(await add('ja')).to.equal('2,503 曲中 100 曲を **song0** からキューに追加しました')
  })

  it('says so to callers of the API, and where it becomes a playlist of a member', async () => {
    const played = await stage.music.play(stage.scope, stage.guild.id, {
      query: 'list',
      channelId: stage.sandbox.demo.voiceChannelId,
    })
    expect(played).to.include({ added: 100, total: 2503 })
    const { text } = await stage.type('playlist add', { name: 'Trip', query: 'list' }, { by: 1 })
    expect(text).to.equal('Added 100 of 2,503 tracks to “Trip”.')
  })
})
