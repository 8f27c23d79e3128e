import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../../../upstream/scripture/import/json.ts'
import { parseOsis } from '../../../upstream/scripture/import/osis.ts'
import { readScripture } from '../../../upstream/scripture/import/read.ts'
import { parseUsfm } from '../../../upstream/scripture/import/usfm.ts'

const USFM = String.raw`\id JHN - A test \rem not text
\ide UTF-8
\h Johannes
\toc1 The Gospel of John
\mt1 John
\is Introduction
\ip Nobody reads \bk this\bk*.
\c 3
\s1 A heading
\r (Luke 1)
\p
\v 1 First \wj words \+nd of\+nd* it\wj*,\f + \fr 3:1 \ft a note\f* then.
\v 2 (\w Second|strong="G3056" lemma="x"\w*)\x - \xo 3:2 \xt Luke 2\x* line
\q1 goes~on // here
\b
\s2 Another heading
\q2 and ends.
\v 3-4 Two \add in\add* one \fig a|src="b.jpg"\fig* verse.
\v 5a Half
\v 5b and half.\ca 4\ca*
\c 4
\d A title
\p \v 1 \qt-s |who="x"\*Said\qt-e\* he.
\id GLO Words
\c 1
\v 1 A glossary is no scripture.
`

const osis = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>
      <osis xmlns="http://www.bibletechnologies.net/2003/OSIS/namespace"><osisText osisIDWork="Probe" xml:lang="de">
      <header><work osisWork="Probe"><title>Die Probe</title><rights>Public Domain</rights></work>
      <work osisWork="strong"><title>Other</title></work></header>${body}</osisText></osis>`

const refusal = (...sources: string[]) => readScripture(sources).then(null, (error: Error) => error.message)

describe('importing scripture', () => {
  describe('USFM', () => {
    it('gives the text of verses alone: no notes, headings, titles, introductions, markers or attributes', () => {
      expect(parseUsfm(USFM)).to.deep.equal([
        {
          osis: 'John',
          name: 'Johannes',
          verses: [
            { chapter: 3, verse: 1, text: 'First words of it, then.' },
            { chapter: 3, verse: 2, text: '(Second) line goes on here and ends.' },
            { chapter: 3, verse: 3, text: 'Two in one verse.' },
            { chapter: 3, verse: 4, text: '' },
            { chapter: 3, verse: 5, text: 'Half and half.' },
            { chapter: 4, verse: 1, text: 'Said he.' },
          ],
        },
      ])
    })

    it('reads what Windows wrote, and several books', () => {
      const text = String.raw`\id GEN
\c 1
\v 1 One.
\id EXO
\c 1
\v 1 Two.`.replaceAll('\n', '\r\n')
      expect(parseUsfm(text).map(({ osis, name, verses }) => [osis, name, verses[0]?.text])).to.deep.equal([
        ['Gen', 'Genesis', 'One.'],
        ['Exod', 'Exodus', 'Two.'],
      ])
    })
  })

  describe('OSIS', () => {
    it('reads verses as containers and between milestones, without notes and titles', () => {
      const parsed = parseOsis(
        osis(`<div type="book" osisID="John"><title>John</title><chapter osisID="John.3">
          <verse osisID="John.3.16">For <note>drop <q>this</q></note><w lemma="x">so</w><lb/>on&amp;on.</verse>
          <p><verse sID="John.3.17" osisID="John.3.17"/>Mile<hi>stone</hi></p><title>In between</title><l>goes on.</l><verse eID="John.3.17"/>
          Between verses.
          <verse osisID="John.3.18 John.3.19">Both.</verse></chapter></div>
          <div type="book" osisID="Nonsense"><verse osisID="Nonsense.1.1">No.</verse></div>`),
      )
      expect(parsed).to.deep.equal({
        code: 'Probe',
        lang: 'de',
        name: 'Die Probe',
        license: 'Public Domain',
        books: [
          {
            osis: 'John',
            name: 'John',
            verses: [
              { chapter: 3, verse: 16, text: 'For so on&on.' },
              { chapter: 3, verse: 17, text: 'Milestone goes on.' },
              { chapter: 3, verse: 18, text: 'Both.' },
              { chapter: 3, verse: 19, text: '' },
            ],
          },
        ],
      })
    })

    it('refuses broken XML, and expands no entity that a file makes up', () => {
      expect(() => parseOsis('<osis><verse osisID="John.1.1">a</osis>')).to.throw("isn't valid XML")
      expect(() => parseOsis('<!DOCTYPE osis [<!ENTITY a SYSTEM "file:///etc/passwd">]><osis>&a;</osis>')).to.throw(
        "isn't valid XML",
      )
    })
  })

  describe('JSON', () => {
    it('reads a whole translation of getBible, with books beyond the usual ones', () => {
      const chapter = { chapter: 1, name: 'x', verses: [{ chapter: 1, verse: 1, name: 'x', text: '\u{FEFF} One. ' }] }
      const given = {
        translation: 'Some Version',
        abbreviation: 'sv',
        lang: 'en',
        language: '',
        distribution_license: 'Public Domain',
        books: [
          { nr: 1, name: 'Genesis', chapters: [chapter] },
          { nr: 71, name: 'Tobit', chapters: [chapter] },
          { nr: 99, name: 'Odes', chapters: [chapter] },
        ],
      }
      const parsed = parseJson(JSON.stringify(given))
      expect(parsed).to.include({
        code: 'sv',
        lang: 'en',
        language: 'English',
        name: 'Some Version',
        license: 'Public Domain',
      })
      expect(parsed.books.map(({ osis, verses }) => [osis, verses[0]?.text])).to.deep.equal([
        ['Gen', 'One.'],
        ['Tob', 'One.'],
        ['X99', 'One.'],
      ])
    })

    it('reads a whole translation of helloao in both of its forms', () => {
      const translation = {
        id: 'BSB',
        name: 'Berean',
        englishName: 'Berean Standard Bible',
        language: 'eng',
        languageEnglishName: 'English',
      }
      const plain = { type: 'verse', number: 16, text: 'For\nGod' }
      const rich = {
        type: 'verse',
        number: 17,
        content: ['He', { text: 'said', wordsOfJesus: true }, { noteId: 1 }, { lineBreak: true }, 'so.'],
      }
      const content = [{ type: 'heading', content: ['No'] }, { type: 'line_break' }, plain, rich]
      const books = [
        { id: 'JHN', name: 'John (full)', commonName: 'John', chapters: [{ chapter: { number: 3, content } }] },
      ]
      const parsed = parseJson(JSON.stringify({ translation, books }))
      expect(parsed).to.include({ code: 'BSB', lang: 'en', name: 'Berean Standard Bible' })
      expect(parsed.books).to.deep.equal([
        {
          osis: 'John',
          name: 'John',
          verses: [
            { chapter: 3, verse: 16, text: 'For God' },
            { chapter: 3, verse: 17, text: 'He said so.' },
          ],
        },
      ])
    })

    it('says of any other JSON what it is not', () => {
      expect(() => parseJson('{"books": 1}')).to.throw("isn't a whole translation of getBible or helloao")
      expect(() => parseJson('{"books": ')).to.throw('is truncated')
    })
  })

  describe('files', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'scripture-'))
      await writeFile(join(folder, '01-GEN.usfm'), '\u{FEFF}\\id GEN\n\\c 1\n\\v 1 One.')
      await writeFile(join(folder, '43-JHN.SFM'), USFM)
      await writeFile(join(folder, 'readme.txt'), 'Hello')
    })
    after(() => rm(folder, { recursive: true }))

    it('are read alone or as a folder of USFM', async () => {
      expect((await readScripture([folder])).books.map(({ osis }) => osis)).to.deep.equal(['Gen', 'John'])
      expect((await readScripture([join(folder, '43-JHN.SFM')])).books).to.have.length(1)
    })

    it('that are none of the known formats, or not there, are refused in words', async () => {
      expect(await refusal(join(folder, 'readme.txt'))).to.contain('Unknown format. Use USFM, OSIS')
      expect(await refusal(join(folder, 'nothing'))).to.contain('ENOENT')
      expect(await refusal('http://127.0.0.1:1/x.json')).to.contain('Fetching http://127.0.0.1:1/x.json failed')
    })
  })
})
