import { expect } from 'chai'
import { until } from '../../support/bots.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'
import { testSources, trackNamed } from '../../support/stage.ts'

const LOCALES = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ja']

/** Every track is a video. */
const sources: Sources = {
  ...testSources,
  find: async (query) => ({ tracks: [{ ...trackNamed(query), sourceName: 'youtube' }], playlist: null }),
}

function lineOf(text: string): string {
  return text.split('\n').find((line) => /SponsorBlock|YouTube/.test(line)) ?? ''
}

describe('SponsorBlock in a server', () => {
  let stage: MemberStage
  const asked: string[] = []
  beforeEach(async () => {
    asked.length = 0
    stage = await createMemberStage({
      sources,
      sponsorBlock: {
        async find(videoId) {
          asked.push(videoId)
          return [
            { category: 'sponsor', action: 'skip', startMs: 0, endMs: 12_000 },
            { category: 'outro', action: 'skip', startMs: 50_000, endMs: 60_000 },
          ]
        },
      },
    })
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const info = () => stage.music.info(stage.scope, stage.guild.id)
  const set = (category: string, on: boolean, locale = 'en-US') =>
    stage.type('settings sponsorblock', { category, on }, { locale })

  it('is asked for nothing until a manager switches a category on', async () => {
    await stage.type('play', { query: 'AAAAAAAAAAA' }, { by: 1 })
    expect(asked).to.deep.equal([])
    const refused = await stage.type('settings sponsorblock', { category: 'sponsor', on: true }, { by: 2 })
    expect(refused.text).to.include('Manage Server')
    const saved = await set('sponsor', true)
    expect(lineOf(textOf(saved.whole.message))).to.include('Sponsors')
    await until('the segments are known', async () => (await info()).segments.length === 1)
    expect((await info()).segments).to.deep.include({ category: 'sponsor', action: 'skip', startMs: 0, endMs: 12_000 })
    expect(asked).to.deep.equal(['AAAAAAAAAAA'])
    await set('outro', true)
    await until('both are', async () => (await info()).segments.length === 2)
    expect((await info()).sponsorBlock).to.deep.equal(['sponsor', 'outro'])
    await set('all', true)
    expect((await info()).sponsorBlock).to.have.length(8)
    await set('all', false)
    await until('none is', async () => (await info()).segments.length === 0)
  })

  it('says on the card what was passed over', async () => {
    await set('sponsor', true)
    await stage.type('play', { query: 'AAAAAAAAAAA' }, { by: 1 })
    await until('the card says so', () =>
      stage.cards().some((card) => textOf(card).includes('⏩ Skipped: Sponsors (0:12)')),
    )
    expect((await info()).positionMs).to.be.at.least(12_000)
  })

  it('is called in the language of the member', async () => {
    const said = new Set<string>()
    for (const locale of LOCALES) said.add(textOf((await set('music_offtopic', true, locale)).whole.message))
    expect(said.size).to.equal(LOCALES.length)
    const german = await stage.type('settings show', {}, { locale: 'de' })
    expect(lineOf(textOf(german.whole.message))).to.include('Stellen ohne Musik')
    await stage.type('settings reset')
    const after = await stage.type('settings show', {}, { locale: 'de' })
    expect(lineOf(textOf(after.whole.message))).to.include('aus')
  })
})
