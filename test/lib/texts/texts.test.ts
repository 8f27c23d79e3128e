import { expect } from 'chai'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as Texts from '../../../lib/texts/texts.ts'
import { temporaryFolder } from '../../support/database.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const AREAS = readdirSync(join(ROOT, 'locales/en')).map((file) => file.replace('.json', '')) as readonly Parameters<
  typeof Texts.textsOf
>[0][]

/** Texts as they are shown, with a count in their gaps. */
const shown = (texts: unknown, count: number) =>
  JSON.stringify(texts, (_, value: unknown) => (typeof value === 'function' ? value({ count }) : value))

describe('texts of a language', () => {
  const folder = temporaryFolder()
  let textsOf: typeof Texts.textsOf

  // A copy of the installation, in which Japanese is empty and French lacks a text.
  before(async () => {
    for (const path of ['package.json', 'lib/installation.ts', 'lib/texts', 'locales/en', 'locales/de', 'locales/fr']) {
      cpSync(join(ROOT, path), join(folder.path, path), { recursive: true })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
    mkdirSync(join(folder.path, 'locales/ja'))
    const file = join(folder.path, 'locales/fr/web.json')
    const french = JSON.parse(readFileSync(file, 'utf8'))
    delete french.web.words.link
    writeFileSync(file, JSON.stringify(french))
    ;({ textsOf } = (await import(join(folder.path, 'lib/texts/texts.ts'))) as typeof Texts)
  })
  after(() => folder.remove())

  it('are English everywhere while its folder is empty, with English plural forms, and none without a folder', () => {
    for (const area of AREAS) {
      const texts = textsOf(area)
      for (const count of [1, 2]) expect(shown(texts.ja, count), area).to.equal(shown(texts.en, count))
      expect(Object.keys(texts), area).to.have.members(['en', 'de', 'fr', 'ja'])
    }
  })

  it('are English where it lacks an area or a key, and its own beside that', () => {
    const { en, fr } = textsOf('dashboard-audit')
    expect(shown(fr, 1)).to.equal(shown(en, 1))
    const web = textsOf('web')
    expect(shown(web.fr.web.words.link, 1)).to.equal(shown(web.en.web.words.link, 1))
    expect(shown(web.de.web.words.link, 1)).not.to.equal(shown(web.en.web.words.link, 1))
    expect(web.fr.web.label.description).not.to.equal(web.en.web.label.description)
  })
})
