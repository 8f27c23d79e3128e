import { expect } from 'chai'
import { createStage, frames, untilGrouped, type Stage } from './stage.ts'

describe('an encrypted channel of the stand-in Discord', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })
  afterEach(() => stage.close())

  it('brings two members into one group, in which one hears what the other says', async () => {
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const heard: Buffer[] = []
    ben.onOpus((from, opus, { encrypted }) => {
      if (from === '11' && encrypted) heard.push(opus)
    })
    await ada.speak(frames(10))
    expect(heard).to.deep.equal(frames(10))
    expect(ben.report).to.include({ decrypted: 10, failed: 0, clear: 0 })
  })
})
