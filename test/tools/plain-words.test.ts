import { expect } from 'chai'
import { contractedShare, FORMS, rejectedForms } from '../../tools/checks/plain-words.ts'

describe('the check of plain words', () => {
  for (const { name, only = 'text', caught, better } of FORMS)
    it(`rejects ${name}, and passes the better sentence`, () => {
      expect(rejectedForms(caught, only).join()).to.include(`is ${name}.`)
      expect(rejectedForms(better, only), better).to.deep.equal([])
    })

  it('accepts a question, a missing thing and what is true no longer', () => {
    for (const fine of [
      'What should I play?',
      'There is no track 999.',
      'It is no longer online.',
      'Which one? Choose it.',
    ])
      expect(rejectedForms(fine, 'text'), fine).to.deep.equal([])
  })

  it('leaves "is not" and definitions to documents, and counts their contractions', () => {
    expect(rejectedForms('It is not loaded. Default: 5.', 'document')).to.deep.equal([])
    expect(contractedShare("It isn't, can't and cannot, and does not.")).to.equal(0.5)
    expect(contractedShare('A queue.')).to.equal(1)
  })
})
