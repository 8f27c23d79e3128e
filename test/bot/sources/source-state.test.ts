import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSources } from '../../../bot/sources/index.ts'
import { createReader } from '../../../bot/sources/library/reader.ts'
import { SOURCE_NAMES } from '../../../bot/sources/settings.ts'
import { listSourceStates } from '../../../bot/sources/source-state.ts'
import { readConfig } from '../../../config.ts'
import { createLibraryRecords } from '../../../db/music/library.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { closing } from '../../support/closing.ts'
import { temporaryDatabase, temporaryFolder } from '../../support/database.ts'
import { createTestContext } from '../../support/upstreams/context.ts'
import { startSoundCloud } from '../../support/upstreams/soundcloud.ts'
import { faultOf } from '../../support/web.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const { signal } = new AbortController()

describe('the state of a source', () => {
  const own = closing()
  const { youTube } = readConfig({}).music.places

  it('is off for what MUSIC_SOURCES does not name, which comes last', () => {
    const states = listSourceStates({ names: ['http', 'library'], youTube: { ...youTube, searchPath: '' } })
    expect(states.slice(0, 2).map(({ name, state }) => [name, state])).to.deep.equal([
      ['http', 'ready'],
      ['library', 'ready'],
    ])
    expect(new Set(states.slice(2).map(({ state }) => state))).to.deep.equal(new Set(['off']))
    expect(states).to.have.length(SOURCE_NAMES.length)
  })

  it('says that YouTube needs yt-dlp until the program is where the shell looks', () => {
    const folder = temporaryFolder()
    own({ close: () => folder.remove() })
    const stateIn = (of = youTube) =>
      listSourceStates({ names: ['youtube'], youTube: { ...of, searchPath: `/nowhere:${folder.path}` } })[0]?.state
    expect(stateIn()).to.equal('needs_yt_dlp')
    writeFileSync(join(folder.path, 'yt-dlp'), '#!/bin/sh\n')
    expect(stateIn(), 'not a program yet').to.equal('needs_yt_dlp')
    chmodSync(join(folder.path, 'yt-dlp'), 0o755)
    expect(stateIn()).to.equal('ready')
    expect(stateIn({ ...youTube, command: '/nowhere/yt-dlp' })).to.equal('needs_yt_dlp')
    expect(stateIn({ ...youTube, clients: ['youtubei'], command: '/nowhere/yt-dlp' })).to.equal('ready')
  })

  it('names the settings that one needs which is off', () => {
    const { places } = readConfig({ SUBSONIC_USER: 'listener' }).music
    const states = listSourceStates({ names: ['library'], youTube, unset: places.unset })
    expect(states.find(({ name }) => name === 'subsonic')).to.deep.equal({
      name: 'subsonic',
      kind: 'songs',
      title: 'Subsonic',
      state: 'needs_setting',
      isFailing: false,
      unset: ['SUBSONIC_URL', 'SUBSONIC_PASSWORD'],
    })
    expect(states.find(({ name }) => name === 'deezer')).to.include({ state: 'off', kind: 'links' })
  })

  it('of sites of music is off, and they are not asked, as long as no bot needs them', async () => {
    const soundCloud = own(await startSoundCloud())
    const settings = upstreamUrls({ 'soundcloud-api': soundCloud.url, 'soundcloud-web': soundCloud.url })
    const { music, utilities } = readConfig({ MUSIC_SOURCES: 'library,http,soundcloud', ...settings })
    const context = own(createTestContext())
    const allowHosts = ['127.0.0.1']
    const folder = temporaryFolder()
    own({ close: () => folder.remove() })
    let hasBot = false
    const { timeoutMs, cacheMaxEntries: cacheMax } = utilities
    const egress = own(createEgress({ allowHosts }))
    const sources = own(
      await createSources({
        names: music.sources,
        library: { folders: [folder.path], records: createLibraryRecords(own(temporaryDatabase()).store) },
        allowHosts,
        reader: own(createReader({ allowHosts, log: context.log })),
        outside: { context, egress, places: music.places, timeoutMs, cacheMax },
        canAskOutside: () => hasBot,
        log: context.log,
      }),
    )
    const stateOf = (named: string) => sources.states().find(({ name }) => name === named)?.state
    expect((await faultOf(sources.find('ebb', signal))).code).to.equal('validation_error')
    expect(soundCloud.received).to.deep.equal([])
    expect([sources.names, stateOf('soundcloud')]).to.deep.equal([['library', 'http'], 'off'])
    hasBot = true
    expect((await sources.find('ebb', signal)).tracks[0]?.sourceName).to.equal('soundcloud')
    expect(stateOf('soundcloud')).to.equal('ready')
  })
})
