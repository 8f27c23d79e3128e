import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createScriptureRecords, type ScriptureImport, type ScriptureRecords } from '../../db/scripture.ts'
import { admin } from '../support/admin.ts'
import { startStandIn } from '../support/upstreams/stand-in.ts'
import { startUtilityApi } from '../support/utilities.ts'
import { upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

const verse = (chapter: number, number: number, text: string) => ({ chapter, verse: number, text })

const translation = (more: Partial<ScriptureImport> = {}): ScriptureImport => ({
  code: 'mine',
  lang: 'en',
  language: 'English',
  name: 'My Version',
  description: 'Mine.',
  license: 'Public Domain',
  books: [
    { osis: 'Gen', name: 'Genesis', verses: [verse(1, 1, 'In the beginning.'), verse(1, 2, "Señor, don't go.")] },
    {
      osis: 'John',
      name: 'John',
      verses: [verse(3, 16, 'For God so loved.'), verse(3, 17, ''), verse(3, 18, '神愛世人'), verse(3, 19, 'בְּרֵאשִׁית')],
    },
  ],
  ...more,
})

describe('imported scripture', () => {
  let dataDir: string
  let db: Database
  let scripture: ScriptureRecords
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'bandstand-'))
    db = openDatabase({ dataDir })
    scripture = createScriptureRecords(createSqliteStore(db))
  })
  afterEach(() => {
    db.close()
    rmSync(dataDir, { recursive: true })
  })

  const found = async (text: string, code = 'mine') =>
    (await scripture.search(code, text, 100)).map(({ book, chapter, verse: at }) => `${book} ${chapter}:${at}`)

  it('is listed, read by chapter, and found by its words in their order', async () => {
    expect(await scripture.put(translation())).to.equal(6)
    expect((await scripture.translations()).map(({ code, name }) => [code, name])).to.deep.equal([
      ['mine', 'My Version'],
    ])
    expect(await scripture.books('MINE')).to.deep.equal([
      { number: 1, osis: 'Gen', name: 'Genesis' },
      { number: 2, osis: 'John', name: 'John' },
    ])
    expect((await scripture.chapter('mine', 1, 1)).map(({ text }) => text)).to.deep.equal([
      'In the beginning.',
      "Señor, don't go.",
    ])
    expect(await found('beginning IN')).to.deep.equal(['Genesis 1:1'])
    expect(await scripture.search('mine', 'o', 1)).to.have.length(0)
  })

  it('is found regardless of the case, accents, points, apostrophes and script', async () => {
    await scripture.put(translation())
    for (const text of ['senor', 'SEÑOR', 'don’t', "don't go", 'dont'])
      expect(await found(text), text).to.deep.equal(['Genesis 1:2'])
    expect(await found('愛世')).to.deep.equal(['John 3:18'])
    expect(await found('בראשית')).to.deep.equal(['John 3:19'])
  })

  it('takes no search for a command of the index', async () => {
    await scripture.put(translation())
    for (const text of ['"', '*', '(', 'NEAR(a b)', 'text:god', '-god', 'a OR b', '^in', '{}', "'; DROP TABLE"]) {
      expect(await found(text), text).to.be.an('array')
    }
    expect(await found('god OR beginning')).to.deep.equal([])
    expect(await found('"*"')).to.deep.equal([])
  })

  it('replaces a translation of the same code at once, and forgets one whole', async () => {
    await scripture.put(translation())
    await scripture.put(
      translation({
        code: 'MINE',
        name: 'Newer',
        books: [{ osis: 'Gen', name: 'Genesis', verses: [verse(1, 1, 'Anew.')] }],
      }),
    )
    expect((await scripture.translations()).map(({ name }) => name)).to.deep.equal(['Newer'])
    expect(await found('beginning')).to.deep.equal([])
    expect(await found('anew')).to.deep.equal(['Genesis 1:1'])
    expect(await scripture.remove('mine')).to.equal(true)
    expect(await scripture.remove('mine')).to.equal(false)
    for (const table of ['scripture_translation', 'scripture_book', 'scripture_verse', 'scripture_words']) {
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).to.equal(0)
    }
  })

  it('is not seen before it is whole, and what was broken off is cleared away by the next import', async () => {
    const twice = [{ osis: 'Gen', name: 'Genesis', verses: [verse(1, 1, 'One.'), verse(1, 1, 'Again.')] }]
    expect(await scripture.put(translation({ books: twice })).catch((error: Error) => error.name)).to.equal(
      'SqliteError',
    )
    expect(await scripture.translations()).to.deep.equal([])
    expect(await found('one')).to.deep.equal([])
    await scripture.put(translation())
    expect(db.prepare('SELECT count(*) FROM scripture_translation').pluck().get()).to.equal(1)
  })

  it('keeps another writer waiting for no longer than it may', async () => {
    const verses = Array.from({ length: 5000 }, (_, at) =>
      verse(1, at + 1, `Verse number ${at} of a long book of many words.`),
    )
    const importing = scripture.put(translation({ books: [{ osis: 'Ps', name: 'Psalms', verses }] }))
    const service = openDatabase({ dataDir, busyMs: 50 })
    const write = service.prepare(
      "INSERT INTO scripture_translation (code, lang, language, name, description, license, imported_at) VALUES ('x', '', '', '', '', '', '')",
    )
    let writes = 0
    const isDone = () => Promise.race([importing.then(() => true), sleep(5, false)])
    while (!(await isDone())) {
      write.run()
      writes += 1
    }
    expect(writes).to.be.above(3)
    service.close()
    expect(await importing).to.equal(5000)
  })

  describe('by the command line', () => {
    const USFM = '\\id JHN\n\\h John\n\\c 3\n\\p\n\\v 16 For God so loved the world.\n\\v 17-18 Both of them.'

    it('is imported from a file, listed and removed', async () => {
      const file = join(dataDir, 'john.usfm')
      writeFileSync(file, USFM)
      const options = ['--code', 'web', '--lang', 'en', '--name', 'World English Bible', '--license', 'Public Domain']
      const done = await admin(['scripture', 'import', file, ...options, '--json'], { dataDir })
      expect(done.stderr).to.equal('')
      expect(done.json).to.deep.equal({
        code: 'web',
        name: 'World English Bible',
        language: 'English',
        license: 'Public Domain',
        books: 1,
        verses: 3,
      })
      expect((await admin(['scripture', 'list'], { dataDir })).stdout).to.contain('World English Bible')
      expect((await admin(['scripture', 'remove', 'web'], { dataDir })).code).to.equal(0)
      expect((await admin(['scripture', 'remove', 'web'], { dataDir })).code).to.equal(1)
    })

    it('is imported from an address', async () => {
      const verses = [{ verse: 1, text: 'One.' }]
      const json = {
        translation: 'T',
        abbreviation: 'tt',
        lang: 'de',
        books: [{ nr: 1, name: '1. Mose', chapters: [{ chapter: 1, verses }] }],
      }
      const server = await startStandIn(() => ({ json }))
      const done = await admin(['scripture', 'import', `${server.url}/tt.json`, '--json'], { dataDir })
      expect(done.json).to.include({ code: 'tt', language: 'German', verses: 1 })
      await server.close()
    })

    it('says what is missing and what cannot be read', async () => {
      const file = join(dataDir, 'a.usfm')
      writeFileSync(file, USFM)
      for (const [args, words] of [
        [[file], '--code'],
        [[file, '--code', 'x'], '--lang'],
        [[file, '--code', '../x', '--lang', 'en'], '--code'],
        [[join(dataDir, 'none.xml')], 'ENOENT'],
      ] as const) {
        const { code, stderr } = await admin(['scripture', 'import', ...args], { dataDir })
        expect(code).to.equal(1)
        expect(stderr).to.contain(words)
      }
    })

    it('is then served without any network, before what the network has', async () => {
      await scripture.put(translation({ code: 'kjv' }))
      const api = await startUtilityApi(
        upstreamUrls({ getbible: 'http://127.0.0.1:1', 'getbible-search': 'http://127.0.0.1:1' }),
        scripture,
      )
      const get = async (path: string) => (await api.call('GET', `/v1/bible${path}`)).body.data
      expect(await get('/translations')).to.deep.equal([
        { code: 'kjv', language: 'English', name: 'My Version', description: 'Mine.' },
      ])
      expect(await get(`/en_kjv/verses?refs=${encodeURIComponent('Gen 1:1, John 3:16-17, Jn 3:17')}`)).to.deep.equal([
        { reference: 'Genesis 1:1', text: 'In the beginning.' },
        { reference: 'John 3:16-17', text: 'For God so loved.' },
        { reference: 'John 3:17', text: 'For God so loved.' },
      ])
      expect(await get('/kjv/search?q=god')).to.deep.equal([
        { book: 'John', chapter: 3, verse: 16, text: 'For God so loved.' },
      ])
      expect((await api.call('GET', '/v1/bible/other/search?q=god')).status).to.equal(503)
      await api.close()
    })
  })
})
