import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { prefixOf } from '../../../jobs/queue/store-id.ts'
import { openResults } from '../../../jobs/results/open-results.ts'
import type { Results } from '../../../jobs/results/results.ts'
import { startBucket, type Bucket } from '../../support/bucket.ts'
import { temporaryFolder } from '../../support/database.ts'

const DAY_MS = 24 * 60 * 60_000

function picture(text: string) {
  return { bytes: Buffer.from(text), contentType: 'image/png', width: 2, height: 3 }
}

async function read(results: Results, stored: Awaited<ReturnType<Results['put']>>, range: any = null) {
  const stream = await results.open(stored, range)
  return stream && (await buffer(stream)).toString()
}

describe('the results of jobs on disk', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let results: Results
  const open = (maxBytes = 1e6) => openResults({ folder: folder.path, maxBytes, s3: null })
  const files = () =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder.path, name))
      .filter((path) => statSync(path).isFile() && !path.endsWith('.place'))
  beforeEach(async () => {
    folder = temporaryFolder()
    results = await open()
  })
  afterEach(() => folder.remove())

  it('are kept once for the same content, whole or in parts', async () => {
    const stored = await results.put(picture('0123456789'))
    expect(await results.put(picture('0123456789'))).to.deep.equal(stored)
    expect(stored).to.deep.include({ contentType: 'image/png', bytes: 10, width: 2, height: 3 })
    expect(files()).to.have.length(1)
    expect(statSync(files()[0] ?? '').mode & 0o777).to.equal(0o600)
    expect(await read(results, stored)).to.equal('0123456789')
    expect(await read(results, stored, { start: 2, end: 4 })).to.equal('234')
    expect(await results.open({ ...stored, sha256: '00'.repeat(32) }, null)).to.equal(null)
  })

  it('are written again when what is there is not whole', async () => {
    const stored = await results.put(picture('0123456789'))
    writeFileSync(files()[0] ?? '', '01')
    await results.put(picture('0123456789'))
    expect(await read(results, stored)).to.equal('0123456789')
  })

  it('go when they have expired, and half-written ones that a dead worker left', async () => {
    const [old, young] = [await results.put(picture('old')), await results.put(picture('young'))]
    expect(await results.sweep(Date.now() + DAY_MS)).to.deep.equal({ removed: 0, kept: 2, keptBytes: 8 })
    const path = files().find((file) => file.endsWith(old.sha256)) ?? ''
    const past = new Date(Date.now() - DAY_MS - 2 * 60 * 60_000)
    utimesSync(path, past, past)
    mkdirSync(join(folder.path, 'ff'), { recursive: true })
    writeFileSync(join(folder.path, 'ff', 'half.part'), 'ha')
    utimesSync(join(folder.path, 'ff', 'half.part'), past, past)
    expect(await results.sweep(Date.now())).to.deep.equal({ removed: 2, kept: 1, keptBytes: 5 })
    expect(await read(results, old)).to.equal(null)
    expect(await read(results, young)).to.equal('young')
  })

  it('make room by what was asked for least recently', async () => {
    const small = await open(100)
    const stored = []
    for (let i = 0; i < 6; i++) stored.push(await small.put(picture(`${i}`.repeat(20))))
    const past = new Date(Date.now() - 60_000)
    for (const file of files()) utimesSync(file, past, past)
    await read(small, stored[0]!)
    expect(await small.sweep(Date.now())).to.deep.equal({ removed: 2, kept: 4, keptBytes: 80 })
    expect(await read(small, stored[0]!)).to.equal('0'.repeat(20))
  })

  it('have a place that is the same for all who reach them, and no other', async () => {
    expect((await open()).storeId).to.equal(results.storeId)
    const elsewhere = temporaryFolder()
    const other = await openResults({ folder: elsewhere.path, maxBytes: 1, s3: null })
    elsewhere.remove()
    expect(prefixOf('test', other)).not.to.equal(prefixOf('test', results))
  })
})

describe('the results of jobs in a bucket', () => {
  let bucket: Bucket
  let results: Results
  const open = (change = {}) => {
    const { endpoint, keys } = bucket
    const s3 = { endpoint, region: 'test-1', ...keys, prefix: 'bandstand/', ...change }
    return openResults({ folder: '/nowhere', maxBytes: 1, s3 })
  }
  before(async () => {
    bucket = await startBucket()
    results = await open()
  })
  afterEach(() => bucket.objects.clear())
  after(() => bucket.close())

  it('are signed for, kept by content, and read whole or in parts', async () => {
    const stored = await results.put(picture('0123456789'))
    expect([...bucket.objects.keys()]).to.deep.equal([`bandstand/${stored.sha256.slice(0, 2)}/${stored.sha256}`])
    expect([...bucket.objects.values()][0]?.contentType).to.equal('image/png')
    const other = await open()
    expect(other.storeId).to.equal(results.storeId)
    expect(await read(other, stored)).to.equal('0123456789')
    expect(await read(other, stored, { start: 8, end: 9 })).to.equal('89')
    expect(await other.open({ ...stored, sha256: '00'.repeat(32) }, null)).to.equal(null)
  })

  it('are refused to a wrong key, which is an error and not an absence', async () => {
    const stored = await results.put(picture('secret'))
    const stranger = await open({ secretAccessKey: 'guessed' })
    for (const attempt of [() => stranger.open(stored, null), () => stranger.put(picture('x'))]) {
      expect(await attempt().catch((error: unknown) => error)).to.be.instanceOf(Error)
    }
    expect(bucket.objects.size).to.equal(1)
  })

  it('go when they have expired, however many pages of them there are', async () => {
    for (let i = 0; i < 7; i++) await results.put(picture(`${i}`))
    for (const object of [...bucket.objects.values()].slice(0, 5)) object.modifiedAt = new Date(Date.now() - 2 * DAY_MS)
    expect(await results.sweep(Date.now())).to.deep.equal({ removed: 5, kept: 2, keptBytes: 2 })
    expect(bucket.objects.size).to.equal(2)
  })
})
