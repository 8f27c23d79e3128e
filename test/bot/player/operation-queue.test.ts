import { expect } from 'chai'
import { createOperationQueue } from '../../../bot/player/operation-queue.ts'
import { Fault } from '../../../lib/errors.ts'

describe('turns', () => {
  it('lets one operation run at a time, in the order they came', async () => {
    const turns = createOperationQueue()
    const seen: string[] = []
    const operation = (name: string) => async (): Promise<string> => {
      seen.push(`${name} begins`)
      await new Promise(setImmediate)
      seen.push(`${name} ends`)
      return name
    }
    expect(await Promise.all([turns.take(operation('a')), turns.take(operation('b'))])).to.deep.equal(['a', 'b'])
    expect(seen).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('continues after an operation that failed, and tells only its owner', async () => {
    const turns = createOperationQueue()
    const failed = turns.take(async () => {
      throw new Error('broken')
    })
    const following = turns.take(async () => 'fine')
    expect(await failed.catch((err: Error) => err.message)).to.equal('broken')
    expect(await following).to.equal('fine')
  })

  it('refuses the 201st that waits, but never what must happen', async () => {
    const turns = createOperationQueue()
    const gate = Promise.withResolvers<void>()
    const waiting = Array.from({ length: 200 }, () => turns.take(() => gate.promise))
    const refused = await turns.take(async () => undefined).catch((err: unknown) => err)
    expect(refused).to.be.instanceOf(Fault).with.property('code', 'service_unavailable')
    const must = turns.runAlways(async () => 'closed')
    gate.resolve()
    await Promise.all(waiting)
    expect(await must).to.equal('closed')
  })
})
