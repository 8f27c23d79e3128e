import { expect } from 'chai'
import { createEventBus } from '../../bot/event-bus.ts'
import type { ProjectEvent } from '../../bot/events.ts'
import { createLog } from '../../lib/log.ts'

const event: ProjectEvent = { projectId: 'p', event: { type: 'queueEmptied', botId: '1', guildId: '2' } }

describe('event bus', () => {
  it('hands every event to every listener at once, in the order of subscription', () => {
    const bus = createEventBus({ log: createLog('silent') })
    const heard: string[] = []
    bus.subscribe(() => heard.push('first'))
    bus.subscribe(() => heard.push('second'))
    bus.emit(event)
    expect(heard).to.deep.equal(['first', 'second'])
  })

  it('isolates a listener that throws from the other listeners and the emitter', () => {
    const bus = createEventBus({ log: createLog('silent') })
    const heard: ProjectEvent[] = []
    bus.subscribe(() => {
      throw new Error('broken')
    })
    bus.subscribe((told) => heard.push(told))
    bus.emit(event)
    expect(heard).to.deep.equal([event])
  })

  it('ends a subscription, also during an event and also twice', () => {
    const bus = createEventBus({ log: createLog('silent') })
    let heard = 0
    const end = bus.subscribe(() => {
      heard += 1
      end()
      end()
    })
    bus.emit(event)
    bus.emit(event)
    expect(heard).to.equal(1)
  })

  it('counts one function subscribed twice as two listeners', () => {
    const bus = createEventBus({ log: createLog('silent') })
    let heard = 0
    const listen = (): void => {
      heard += 1
    }
    const end = bus.subscribe(listen)
    bus.subscribe(listen)
    end()
    bus.emit(event)
    expect(heard).to.equal(1)
  })

  it('has passed events on when all who do so say it', async () => {
    const bus = createEventBus({ log: createLog('silent') })
    const { promise, resolve } = Promise.withResolvers<void>()
    const ends = [
      bus.subscribe(
        () => undefined,
        async () => undefined,
      ),
      bus.subscribe(
        () => undefined,
        () => promise,
      ),
    ]
    let hasPassed = false
    const passed = bus.passed().then(() => (hasPassed = true))
    await new Promise(setImmediate)
    expect(hasPassed).to.equal(false)
    resolve()
    await passed
    for (const end of ends) end()
    await bus.passed()
  })
})
