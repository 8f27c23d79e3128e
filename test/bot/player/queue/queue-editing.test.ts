import { expect } from 'chai'
import { createStage, GUILD } from '../../../support/stage.ts'

describe('the positions of a queue', () => {
  it('are named when a request asks for another one', async () => {
    const stage = createStage()
    await stage.play('A B')
    const remove = (position: number) => stage.music.remove(stage.scope, GUILD, { position })
    const refused = (position: number) => remove(position).catch((error: unknown) => error)
    const reason = 'no_such_position'
    expect(await refused(2)).to.include({ reason, message: 'The queue has the positions 1 to 1.' })
    await remove(1)
    expect(await refused(1)).to.include({ reason, message: 'The queue is empty.' })
    stage.close()
  })
})
