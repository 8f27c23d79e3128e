import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PERMISSION_NAMES, PERMISSION_RULES, PERMISSIONS } from '../../../bot/permissions/permission-table.ts'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const permissionText = textOf('permissions', 'permission')

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'permissions.md'), 'utf8')

function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) => line.split('|').map((cell) => cell.trim()))
}

describe('docs/permissions.md', () => {
  it('lists every permission with its default, in the order of the code', () => {
    const table = page.slice(page.indexOf('<!-- permissions:'), page.indexOf('<!-- /permissions -->'))
    const rows = rowsOf(table).map(([, permission, , rule]) => [permission, rule])
    expect(rows).to.deep.equal(PERMISSION_NAMES.map((name) => [`\`${name}\``, `\`${PERMISSIONS[name].rule}\``]))
  })

  it('lists every rule', () => {
    const rows = rowsOf(page.slice(page.indexOf('## Rules')))
    expect(rows.map(([, rule]) => rule)).to.deep.equal(PERMISSION_RULES.map((rule) => `\`${rule}\``))
  })
})

describe('names of permissions', () => {
  it('fit into what Discord takes for a choice, and differ from each other, in every language', () => {
    for (const language of LANGUAGES) {
      const { names, rules } = permissionText[language]
      for (const all of [Object.values(names), Object.values(rules)]) {
        expect(new Set(all).size, language).to.equal(all.length)
        for (const name of all) expect(name.length, name).to.be.within(1, 100)
      }
    }
  })
})
