import { expect } from 'chai'
import { mostConnections } from '../../api/room.ts'

const limits = (files: string) =>
  `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${files}  ${files}  files\n`

describe('room for connections', () => {
  it('leaves files to the music, whatever the system allows', () => {
    expect(mostConnections(limits('512'))).to.equal(256)
    expect(mostConnections(limits('20000'))).to.equal(15_904)
    expect(mostConnections(limits('1048576'))).to.equal(20_000)
  })

  it('is bounded where the system says nothing', () => {
    expect(mostConnections('')).to.equal(20_000)
    expect(mostConnections(limits('unlimited'))).to.equal(20_000)
  })
})
