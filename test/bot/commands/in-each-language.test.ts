import { expect } from 'chai'
import { inEachLanguage } from '../../../bot/commands/i18n/in-each-language.ts'

describe('a table of texts', () => {
  it('gives each language its column, and fills the gaps by their names wherever they stand', () => {
    const { en, ja } = inEachLanguage({
      label: [['city', 'stadt', 'ville', 'ciudad', 'cidade', '都市'], { inner: ['a', 'b', 'c', 'd', 'e', 'f'] }],
      from: ['{a} to {b}', '{a} nach {b}', '{a} à {b}', '{a} a {b}', '{a} para {b}', '{b}へ{a}'],
    })
    expect(en.label).to.deep.equal(['city', { inner: 'a' }])
    expect(ja.label).to.deep.equal(['都市', { inner: 'f' }])
    expect(ja.from({ a: '$&', b: '{a}' })).to.equal('{a}へ$&')
    expect(en.from({ a: '$&', b: '{a}' })).to.equal('$& to {a}')
  })

  it('does not start when a language lacks a gap', () => {
    const table = { hello: ['Hi {name}', 'Hallo {name}', 'Salut', 'Hola {name}', 'Oi {name}', '{name}さん'] } as const
    expect(() => inEachLanguage(table)).to.throw('"Hi {name}" has other gaps in fr.')
  })
})
