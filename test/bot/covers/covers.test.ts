import { expect } from 'chai'
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { createCoverAddresses } from '../../../bot/covers/cover-addresses.ts'
import { createCovers } from '../../../bot/covers/covers.ts'
import { createSources } from '../../../bot/sources/index.ts'
import { createReader } from '../../../bot/sources/library/reader.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import { decodeToken, encodeToken } from '../../../bot/tracks/track-token.ts'
import { createLibraryRecords } from '../../../db/music/library.ts'
import { createLog } from '../../../lib/log.ts'
import { makeAudio } from '../../support/audio-files.ts'
import type { TestApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'
import {
  COVER_ADDRESSES,
  COVER_SECRET,
  COVERS_AT,
  embedPicture,
  fetchPicture,
  plainPicture,
  startCovers,
} from '../../support/covers.ts'
import { temporaryDatabase, temporaryFolder } from '../../support/database.ts'
import { eventually } from '../../support/service.ts'

const { signal } = new AbortController()
const log = createLog('silent')
const addresses = COVER_ADDRESSES

async function coverOf(sources: Sources, text: string): Promise<string | null> {
  return (await sources.search(text, { limit: 1, signal }))[0]?.artworkUrl ?? null
}

/** The library in a temporary folder, and the route that serves its pictures. */
describe('covers of the library', () => {
  const own = closing()
  const masters = temporaryFolder()
  let music: string
  let added = 0
  let red: Buffer
  let blue: Buffer

  before(async () => {
    ;[red, blue] = [await plainPicture('#e01010'), await plainPicture('#1010e0', 300)]
    for (const kind of ['mp3', 'flac', 'm4a', 'opus']) {
      const path = makeAudio(join(masters.path, `${kind}.${kind}`), { seconds: 0.3, tags: { title: `Song ${kind}` } })
      embedPicture(path, masters.path, red)
    }
  })
  after(() => masters.remove())
  beforeEach(() => {
    const folder = temporaryFolder()
    own({ close: folder.remove })
    music = folder.path
    added = 0
  })

  const add = (name: string, to = name) => {
    mkdirSync(dirname(join(music, to)), { recursive: true })
    copyFileSync(join(masters.path, name), join(music, to))
    added += 1
  }

  async function start(): Promise<{ sources: Sources; api: TestApi }> {
    const reader = own(createReader({ allowHosts: [], log }))
    const records = createLibraryRecords(own(temporaryDatabase()).store)
    const library = { folders: [music], records }
    const options = { names: ['library'] as const, library, reader, allowHosts: [], log }
    const sources = own(await createSources({ ...options, coverUrlOf: addresses.urlOf }))
    // The start waits for the library for a while only.
    await eventually(
      () => records.count(),
      (count) => count === added,
    )
    return { sources, api: await startCovers(own, sources) }
  }

  it('are those in the file (MP3, FLAC, MP4, Ogg), shrunk to the size that is asked for', async () => {
    for (const kind of ['mp3', 'flac', 'm4a', 'opus']) add(`${kind} with cover.${kind}`)
    const { sources, api } = await start()
    for (const kind of ['mp3', 'flac', 'm4a', 'opus']) {
      const url = await coverOf(sources, `song ${kind}`)
      expect(await fetchPicture(api, url), kind).to.deep.equal([640, 'red'])
      expect(await fetchPicture(api, url, '?size=small'), kind).to.deep.equal([160, 'red'])
    }
  })

  it('are the picture file of the folder where the file has none, and never larger than it is', async () => {
    add('mp3.mp3', 'one/a.mp3')
    writeFileSync(join(music, 'one/Folder.JPG'), blue)
    add('mp3 with cover.mp3', 'two/b.mp3')
    writeFileSync(join(music, 'two/cover.jpg'), blue)
    add('flac.flac', 'three/c.flac')
    writeFileSync(join(music, 'three/holiday.jpg'), blue)
    const { sources, api } = await start()
    expect(await fetchPicture(api, await coverOf(sources, 'one'))).to.deep.equal([300, 'blue'])
    expect(await fetchPicture(api, await coverOf(sources, 'two'))).to.deep.equal([640, 'red'])
    expect(await coverOf(sources, 'three')).to.equal(null)
  })

  it('get a new address when the picture changes, and go when it goes', async () => {
    add('mp3.mp3', 'one/a.mp3')
    const path = join(music, 'one/cover.jpg')
    writeFileSync(path, blue)
    const { sources, api } = await start()
    const first = await coverOf(sources, 'one')
    expect(await fetchPicture(api, first)).to.deep.equal([300, 'blue'])
    writeFileSync(path, red)
    utimesSync(path, new Date(), new Date(Date.now() + 5000))
    const second = await eventually(
      () => coverOf(sources, 'one'),
      (url) => url !== first,
    )
    expect(await fetchPicture(api, second)).to.deep.equal([640, 'red'])
    rmSync(path)
    await eventually(
      () => coverOf(sources, 'one'),
      (url) => url === null,
    )
    expect((await api.call('GET', `${second?.slice(COVERS_AT.length)}?size=small`, { key: null })).status).to.equal(404)
  })

  it('are served to who has the address: with a tag, for a week, and never as anything but a picture', async () => {
    add('mp3 with cover.mp3')
    const { sources, api } = await start()
    const path = (await coverOf(sources, 'song'))?.slice(COVERS_AT.length) ?? ''
    const { status, headers } = await fetch(api.baseUrl + path)
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('image/webp')
    expect(headers.get('cache-control')).to.match(/^public, max-age=604800/)
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    const etag = headers.get('etag') ?? ''
    const again = await fetch(api.baseUrl + path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).to.deep.equal([304, ''])
    const head = await fetch(api.baseUrl + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).to.deep.equal([200, 'image/webp'])
    const large = await fetch(`${api.baseUrl}${path}?size=4096`)
    expect([large.status, await large.json()]).to.have.nested.property('1.error.details.0.field', 'query.size')
  })

  it('are not found by who makes an address up, or changes one', async () => {
    add('mp3 with cover.mp3')
    const { sources, api } = await start()
    const url = (await coverOf(sources, 'song')) ?? ''
    const signed = url.slice(url.lastIndexOf('/') + 1)
    const [id] = (await sources.search('song', { limit: 1, signal })).map(({ identifier }) => identifier)
    const others = createCoverAddresses({ baseUrl: '', secrets: [Buffer.alloc(32, 8)] })
    const flipped = `${signed.slice(0, -2)}${signed.at(-2) === 'A' ? 'B' : 'A'}${signed.at(-1)}`
    const madeUp = [
      flipped,
      signed.slice(0, 30),
      `${signed}AAAA`,
      'x',
      'a'.repeat(5000),
      '..%2f..%2fetc%2fpasswd',
      `${id}`,
    ]
    for (const one of [...madeUp, others.urlOf('library', `${id}.1`)?.slice('/covers/'.length) ?? '']) {
      expect((await fetch(`${api.baseUrl}/covers/${one}`)).status, one.slice(0, 60)).to.equal(404)
    }
  })

  it('have addresses that tell nothing, stay the same, and fit a token', async () => {
    const url = addresses.urlOf('library', 'Zm9vYmFyZm9vYmFyZm9vYg.1700000000000') ?? ''
    expect(url).to.equal(addresses.urlOf('library', 'Zm9vYmFyZm9vYmFyZm9vYg.1700000000000'))
    expect(url).to.match(/^https:\/\/music\.example\.org\/covers\/[\w-]{80,140}$/)
    expect(Buffer.from(url.split('/').at(-1) ?? '', 'base64url').toString('latin1')).not.to.match(/library|Zm9v|1700/)
    const rest = { title: 'a', author: 'b', lengthMs: 1, identifier: 'c', isStream: false, uri: null, isrc: null }
    const track = { ...rest, artworkUrl: url, sourceName: 'local', probe: 'mp3' }
    expect(decodeToken(encodeToken(track)).artworkUrl).to.equal(url)
    const renewed = createCoverAddresses({ baseUrl: COVERS_AT, secrets: [Buffer.alloc(32, 9), COVER_SECRET] })
    expect(renewed.open(url.split('/').at(-1) ?? '')?.source).to.equal('library')
    expect(addresses.urlOf('subsonic', 'x'.repeat(301))).to.equal(null)
  })

  it('are left out where the picture is none, is damaged, or is too large', async () => {
    add('mp3.mp3', 'one/a.mp3')
    writeFileSync(join(music, 'one/cover.jpg'), '<svg onload="alert(1)">')
    add('mp3.mp3', 'two/b.mp3')
    writeFileSync(join(music, 'two/cover.jpg'), red.subarray(0, red.length / 2))
    add('mp3.mp3', 'three/c.mp3')
    writeFileSync(join(music, 'three/cover.png'), Buffer.alloc(10 * 1024 * 1024 + 1))
    const { sources, api } = await start()
    for (const name of ['one', 'two', 'three']) {
      const path = (await coverOf(sources, name))?.slice(COVERS_AT.length)
      expect((await api.call('GET', path ?? '', { key: null })).status, name).to.equal(404)
    }
  })

  it('are shrunk once for the songs of an album that hold the same picture, however often they are fetched', async () => {
    const original = await sharp(red).png().toBuffer()
    let [reads, shrinks] = [0, 0]

    const covers = createCovers({
      addresses,
      sources: {
        cover: async () => {
          reads += 1
          return original
        },
      },
      shrink: async () => {
        shrinks += 1
        return { contentType: 'image/webp', data: Buffer.from('small') }
      },
      log,
    })
    const signed = (id: number) => addresses.urlOf('library', `${id}.1`)?.split('/').at(-1) ?? ''
    await Promise.all(Array.from({ length: 50 }, () => covers.read(signed(1), 640)))
    expect([reads, shrinks]).to.deep.equal([1, 1])
    for (const id of [1, 2, 3, 4]) await covers.read(signed(id), 640)
    expect([reads, shrinks]).to.deep.equal([4, 1])
  })
})
