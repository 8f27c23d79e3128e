import { expect } from 'chai'
import {
  copyFileSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSources, type SourcesOptions } from '../../../../bot/sources/index.ts'
import { createReader, type Reader } from '../../../../bot/sources/library/reader.ts'
import type { Sources } from '../../../../bot/sources/source.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { createLibraryRecords, type LibraryRecords } from '../../../../db/music/library.ts'
import { createLog } from '../../../../lib/log.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryDatabase, temporaryFolder } from '../../../support/database.ts'
import { faultOf } from '../../../support/web.ts'

const { signal } = new AbortController()
const log = createLog('silent')

async function titles(sources: Sources, text: string): Promise<string[]> {
  return (await sources.search(text, { limit: 10, signal })).map(({ title }) => title)
}

async function find(sources: Sources, text: string): Promise<TrackInfo | undefined> {
  return (await sources.search(text, { limit: 1, signal }))[0]
}

/** Waits until a search finds as many as it should, since changes are noticed after a moment. */
async function until(sources: Sources, text: string, count: number): Promise<string[]> {
  for (let i = 0; i < 800; i++) {
    const found = await titles(sources, text)
    if (found.length === count) return found
    await sleep(50)
  }
  throw new Error(`${text} finds ${JSON.stringify(await titles(sources, text))}, not ${count}`)
}

describe('the library', () => {
  const own = closing()
  const masters = temporaryFolder()
  let music: string
  let records: LibraryRecords

  before(() => {
    for (const name of ['a.mp3', 'b.flac', 'c.m4a', 'd.wav'])
      makeAudio(join(masters.path, name), { tags: { title: name } })
    makeAudio(join(masters.path, 'o.opus'), { seconds: 2, options: ['-c:a', 'libopus'] })
  })
  after(() => masters.remove())
  beforeEach(() => {
    const folder = temporaryFolder()
    own({ close: folder.remove })
    music = folder.path
    records = createLibraryRecords(own(temporaryDatabase()).store)
  })

  /** @param text is found before it returns: a slow machine still reads when the source is up. */
  async function start(text = '', count = 1): Promise<Sources> {
    const sources = await startWith({ folders: [music], records })
    if (text !== '') await until(sources, text, count)
    return sources
  }

  async function startWith(library: SourcesOptions['library'], through = (given: Reader) => given): Promise<Sources> {
    const reader = through(own(createReader({ allowHosts: [], log })))
    return own(await createSources({ names: ['library'], library, allowHosts: [], reader, log }))
  }

  function song(path: string, tags: Readonly<Record<string, string>> = {}): string {
    return makeAudio(join(music, path), { seconds: 0.3, tags })
  }

  it('finds a file by its place in the library, and no other file of the machine', async () => {
    song('Ljósálfar/01 intro.mp3', { title: 'Intro' })
    const outside = join(masters.path, 'a.mp3')
    const sources = await start('intro')
    const at = async (path: string) => (await sources.find(`library://file/${encodeURIComponent(path)}`, signal)).tracks
    for (const path of [
      'Ljósálfar/01 intro.mp3',
      './Ljósálfar/../Ljósálfar/01 intro.mp3',
      join(music, 'Ljósálfar/01 intro.mp3'),
    ]) {
      expect((await at(path))[0], path).to.include({ title: 'Intro', sourceName: 'local' })
    }
    for (const path of [outside, '/etc/passwd', '../a.mp3', join(music, '../etc'), '', '%2', 'Ljósálfar']) {
      expect((await faultOf(at(path))).reason, path).to.equal('nothing_found')
    }
  })

  it('scans again some time after a scan that failed', async () => {
    song('a.mp3', { title: 'Intro' })
    let runs = 0
    const failOnce = (reader: Reader): Reader => {
      const run: Reader['run'] = (...task) => (runs++ > 0 ? reader.run(...task) : Promise.reject(new Error('overdue')))
      return { ...reader, run }
    }
    await until(await startWith({ folders: [music], records, retryMs: 1 }, failOnce), 'intro', 1)
  })

  it('finds files by title, artist, album and file name, whatever the case and the accents', async () => {
    song('Ljósálfar/01 intro.mp3', { title: 'Für Élise', artist: 'Björk Guðmundsdóttir', album: 'Straße' })
    song('other.mp3', { title: 'Other', artist: 'Nobody' })
    const sources = await start('other')
    for (const text of [
      'für élise',
      'FUR ELISE',
      'elise',
      'eli',
      'bjork',
      'gudmunds',
      'strasse',
      'ljosalf',
      'intro',
      'elise björk',
    ]) {
      expect(await titles(sources, text), text).to.deep.equal(['Für Élise'])
    }
    for (const text of ['elise nobody', 'lise', 'mp3', '"', '*', 'title:other', 'NOT other', '(', 'AND OR NEAR']) {
      expect(await titles(sources, text), text).to.deep.equal([])
    }
    expect(await titles(sources, "Other's")).to.deep.equal([])
    expect(await titles(sources, "o'ther")).to.deep.equal(['Other'])
  })

  it('finds any part of titles in scripts without spaces', async () => {
    song('a.mp3', { title: '東京の夜' })
    song('b.mp3', { title: 'ひまわり' })
    const sources = await start('まわ')
    for (const text of ['東京', '夜', 'の夜']) expect(await titles(sources, text)).to.deep.equal(['東京の夜'])
    expect(await titles(sources, 'まわ')).to.deep.equal(['ひまわり'])
  })

  it('puts titles before artists, and artists before albums', async () => {
    song('1.mp3', { title: 'One', artist: 'X', album: 'Moon' })
    song('2.mp3', { title: 'Two', artist: 'Moon' })
    song('3.mp3', { title: 'Moon', artist: 'Y' })
    const sources = await start('moon', 3)
    expect(await titles(sources, 'moon')).to.deep.equal(['Moon', 'Two', 'One'])
    const { tracks } = await sources.find('moon', signal)
    expect(tracks.map(({ title }) => title)).to.deep.equal(['Moon'])
    expect(await sources.search('moon', { limit: 2, signal })).to.have.length(2)
  })

  it('describes a track, and opens it from its token by its place in the index', async () => {
    copyFileSync(join(masters.path, 'o.opus'), join(music, 'night_drive.opus'))
    const sources = await start('night drive')
    const { tracks } = await sources.find('night drive', signal)
    const track = tracks[0] as TrackInfo
    expect(track).to.deep.include({ title: 'night drive', author: 'Unknown artist', uri: null, artworkUrl: null })
    expect(track).to.include({ isStream: false, sourceName: 'local', probe: 'ogg', lengthMs: 2000 })
    expect(track.identifier).to.match(/^[\w-]{22}$/)
    const playable = await sources.open(decodeToken(encodeToken(track)), signal)
    expect(playable).to.deep.equal({ kind: 'file', path: join(music, 'night_drive.opus'), codec: 'ogg-opus' })
  })

  it('opens nothing that a token invents', async () => {
    const path = song('song.mp3', { title: 'Song' })
    const sources = await start('song')
    const track = (await sources.find('song', signal)).tracks[0] as TrackInfo
    for (const identifier of [
      '/etc/passwd',
      '../../etc/passwd',
      'song.mp3',
      path,
      `file://${path}`,
      '',
      'x'.repeat(30_000),
    ]) {
      for (const sourceName of ['local', 'library', 'youtube', '__proto__', '']) {
        const fault = await faultOf(sources.open({ ...track, identifier, sourceName, uri: `file://${path}` }, signal))
        expect(fault.code).to.equal('validation_error')
        expect(fault.reason).to.equal(sourceName === 'local' ? 'nothing_found' : 'source_off')
        expect(fault.message).not.to.contain(music)
      }
    }
  })

  it('does not follow links, neither when it looks nor when it plays', async () => {
    const outside = temporaryFolder()
    own({ close: outside.remove })
    makeAudio(join(outside.path, 'secret.mp3'), { tags: { title: 'Secret' } })
    symlinkSync(join(outside.path, 'secret.mp3'), join(music, 'link.mp3'))
    symlinkSync(outside.path, join(music, 'folder'))
    symlinkSync(music, join(music, 'circle'))
    song('honest.mp3', { title: 'Honest' })
    const sources = await start('honest')
    expect(await titles(sources, 'secret')).to.deep.equal([])
    expect(await records.count()).to.equal(1)

    const { tracks } = await sources.find('honest', signal)
    rmSync(join(music, 'honest.mp3'))
    symlinkSync(join(outside.path, 'secret.mp3'), join(music, 'honest.mp3'))
    const fault = await faultOf(sources.open(tracks[0] as TrackInfo, signal))
    expect(fault.message).to.contain('no longer has this track')
  })

  it('leaves out what is no audio or hidden, and does without what it cannot read', async () => {
    mkdirSync(join(music, '.trash'))
    writeFileSync(join(music, 'cover.jpg'), 'x')
    writeFileSync(join(music, 'empty.mp3'), '')
    writeFileSync(join(music, 'page.mp3'), '<html></html>')
    song('.trash/old.mp3')
    song('.hidden.mp3')
    song('good.mp3')
    await start('good')
    expect(await records.pathsAfter('', 10)).to.deep.equal(['good.mp3'])
  })

  it('notices new, changed, moved and removed files while it runs', async () => {
    const sources = await start()
    song('deep/er/one.mp3', { title: 'Alpha' })
    await until(sources, 'alpha', 1)
    song('deep/er/one.mp3', { title: 'Beta' })
    await until(sources, 'beta', 1)
    expect(await titles(sources, 'alpha')).to.deep.equal([])
    renameSync(join(music, 'deep'), join(music, 'shallow'))
    await until(sources, 'shallow', 1)
    await until(sources, 'deep', 0)
    rmSync(join(music, 'shallow'), { recursive: true })
    await until(sources, 'beta', 0)
    expect(await records.count()).to.equal(0)
  })

  it('reads only what has changed when it starts again', async () => {
    song('kept.mp3', { title: 'Kept' })
    song('gone.mp3', { title: 'Gone' })
    const changed = song('changed.mp3', { title: 'Before' })
    // Read in the order of their names.
    await (await start('kept')).close()
    const identifierBefore = (await records.search('kept', 1))[0]?.id

    const put: string[] = []
    const watched: LibraryRecords = {
      ...records,
      put: async (tracks) => {
        put.push(...tracks.map(({ path }) => path))
        await records.put(tracks)
      },
    }
    rmSync(join(music, 'gone.mp3'))
    song('changed.mp3', { title: 'After' })
    utimesSync(changed, 1000, 1000)
    song('new.mp3', { title: 'New' })
    const sources = await startWith({ folders: [music], records: watched })
    await until(sources, 'after', 1)
    await until(sources, 'gone', 0)
    expect(put.toSorted()).to.deep.equal(['changed.mp3', 'new.mp3'])
    expect(await records.pathsAfter('', 10)).to.deep.equal(['changed.mp3', 'kept.mp3', 'new.mp3'])
    expect((await records.search('kept', 1))[0]?.id).to.equal(identifierBefore)
  })

  it('reads a second folder too, whose files give way to those of the same path in the first', async () => {
    const second = temporaryFolder()
    own({ close: second.remove })
    makeAudio(join(second.path, 'shared.mp3'), { seconds: 0.3, tags: { title: 'Ours' } })
    makeAudio(join(second.path, 'only.mp3'), { seconds: 0.3, tags: { title: 'Only here' } })
    const path = song('shared.mp3', { title: 'Theirs' })
    const sources = await startWith({ folders: [music, second.path], records })
    await until(sources, 'only here', 1)
    expect(await titles(sources, 'ours')).to.deep.equal([])
    const [theirs, only] = await Promise.all(['theirs', 'only here'].map((text) => find(sources, text)))
    expect(await sources.open(theirs!, signal)).to.include({ path: realpathSync(path) })
    expect(await sources.open(only!, signal)).to.include({ path: realpathSync(join(second.path, 'only.mp3')) })
    rmSync(path)
    expect(await until(sources, 'ours', 1)).to.deep.equal(['Ours'])
    const ours = await find(sources, 'ours')
    expect(ours?.identifier, 'a token of the first still names it').to.equal(theirs?.identifier)
  })

  it('starts and keeps what it knows when the folder cannot be read', async () => {
    song('kept.mp3', { title: 'Kept' })
    await (await start('kept')).close()
    rmSync(music, { recursive: true })
    writeFileSync(music, 'no folder')
    const sources = await start()
    const { tracks } = await sources.find('kept', signal)
    expect((await faultOf(sources.open(tracks[0] as TrackInfo, signal))).code).to.equal('validation_error')
    expect(await records.count()).to.equal(1)
  })

  it('says so when nothing is found, and which sources there are', async () => {
    const sources = await start()
    expect(sources.names).to.deep.equal(['library'])
    const nothing = await faultOf(sources.find('anything', signal))
    expect(nothing.reason).to.equal('nothing_found')
    const unknown = await faultOf(sources.search('a', { limit: 1, source: 'youtube', signal }))
    expect([unknown.reason, unknown.message]).to.deep.equal(['unknown_source', 'Unknown source. Use library.'])
    const url = await faultOf(sources.find('https://example.com/a.mp3', signal))
    expect(url.reason).to.equal('unplayable')
  })
})
