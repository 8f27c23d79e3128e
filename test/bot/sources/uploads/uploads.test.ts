import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSources } from '../../../../bot/sources/index.ts'
import { createReader } from '../../../../bot/sources/library/reader.ts'
import type { Sources } from '../../../../bot/sources/source.ts'
import { LARGEST_UPLOAD_BYTES, openUploads, type Uploads } from '../../../../bot/sources/uploads/uploads.ts'
import { createLog } from '../../../../lib/log.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { createLibraryRecords } from '../../../../db/music/library.ts'
import { until } from '../../../support/bots.ts'
import { temporaryDatabase } from '../../../support/database.ts'
import { serve, type Listening } from '../../../support/web.ts'
import { tempFolder } from '../../audio/folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const PROJECT = 'project-1'
const log = createLog('silent')

describe('files that members sent along', () => {
  const place = tempFolder()
  let song: Buffer
  let cdn: Listening
  let asked: number
  let isExpired: boolean
  let announced: number
  let folder: string
  let runs = 0
  const open: { close(): void | Promise<void> }[] = []

  before(async () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2', '-c:a', 'libopus', '-metadata', 'title=Ours']
    ffmpegOnce(tone, place.path('song.ogg'))
    song = readFileSync(place.path('song.ogg'))
    cdn = await serve((_, response) => {
      asked++
      if (isExpired) return void response.writeHead(404).end()
      response.writeHead(200, {
        'content-type': 'audio/ogg',
        'content-length': announced,
      })
      if (announced === song.length) response.end(song)
      else response.write(song, () => response.destroy())
    })
  })
  after(() => cdn.close())
  beforeEach(() => {
    asked = 0
    isExpired = false
    announced = song.length
    folder = place.path(`uploads-${++runs}`)
  })
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close()
  })

  const urlOf = (name: string) => `${cdn.url}/attachments/1/${name}?ex=1&hm=2`
  const kept = () => readdirSync(folder).filter((name) => !name.endsWith('.part'))

  async function start(maxBytes = 10_000_000): Promise<{ uploads: Uploads; sources: Sources }> {
    const allowHosts = [new URL(cdn.url).host]
    const egress = createEgress({ allowHosts })
    const uploads = await openUploads({ folder, maxBytes, egress, log })
    const reader = createReader({ allowHosts, log })
    const store = temporaryDatabase()
    const library = { folders: [], records: createLibraryRecords(store.store) }
    const sources = await createSources({ names: ['http'], library, allowHosts, reader, uploads, log })
    open.push(store, egress, reader, sources)
    return { uploads, sources }
  }

  async function keep({ uploads }: { uploads: Uploads }, name: string, projectId = PROJECT): Promise<void> {
    uploads.keep(urlOf(name), projectId)
    await until(`${name} is kept`, async () => (await uploads.find(urlOf(name))) !== null)
  }

  it('play on after their address has expired, through a restart, as they are', async () => {
    const first = await start()
    const signal = AbortSignal.timeout(10_000)
    const { tracks } = await first.sources.find(urlOf('song.ogg'), signal)
    const [track] = tracks
    expect(track?.title).to.equal('Ours')
    expect((await first.sources.open(track!, signal)).kind).to.equal('http')
    first.sources.keep(track!.identifier, PROJECT)
    await until('it is kept', async () => (await first.uploads.find(track!.identifier)) !== null)
    isExpired = true
    await first.sources.close()
    const second = await start()
    asked = 0
    const playable = await second.sources.open(track!, signal, true)
    expect(playable).to.include({ kind: 'file', codec: 'ogg-opus' })
    expect(readFileSync((playable as { path: string }).path).equals(song)).to.equal(true)
    expect(statSync((playable as { path: string }).path).mode & 0o777).to.equal(0o600)
    expect(asked).to.equal(0)
  })

  it('are fetched once, and what breaks off, is too large or has expired is not kept', async () => {
    const { uploads } = await start()
    uploads.keep(urlOf('a'), PROJECT)
    await keep({ uploads }, 'a')
    uploads.keep(urlOf('a'), PROJECT)
    expect(asked).to.equal(1)
    announced = song.length + 1
    uploads.keep(urlOf('b'), PROJECT)
    await until('it was asked for', () => asked === 2)
    announced = LARGEST_UPLOAD_BYTES + 1
    uploads.keep(urlOf('c'), PROJECT)
    await until('it was asked for', () => asked === 3)
    isExpired = true
    uploads.keep(urlOf('d'), PROJECT)
    await until('it was asked for', () => asked === 4)
    await uploads.close()
    expect(readdirSync(folder)).to.have.length(1)
    expect(await uploads.find(urlOf('b'))).to.equal(null)
  })

  it('go where they are too many: of the project that has most, the one that was not used for longest', async () => {
    const started = await start(song.length * 3)
    await keep(started, 'theirs', 'project-2')
    for (const name of ['old', 'new']) await keep(started, name)
    await started.uploads.find(urlOf('old'))
    await keep(started, 'newest')
    await until('one has gone', () => kept().length === 3)
    expect(await started.uploads.find(urlOf('theirs'))).to.not.equal(null)
    expect(await started.uploads.find(urlOf('old'))).to.not.equal(null)
    expect(await started.uploads.find(urlOf('new'))).to.equal(null)
  })

  it('leave nothing half-fetched behind, and are not missed where they were taken away by hand', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'half.part'), 'half')
    const started = await start()
    expect(readdirSync(folder)).to.deep.equal([])
    await keep(started, 'a')
    rmSync(join(folder, kept()[0]!))
    expect(await started.uploads.find(urlOf('a'))).to.equal(null)
  })

  it('are not kept where the operator keeps none', async () => {
    const { uploads } = await start(0)
    uploads.keep(urlOf('a'), PROJECT)
    await uploads.close()
    expect([asked, readdirSync(folder)]).to.deep.equal([0, []])
  })
})
