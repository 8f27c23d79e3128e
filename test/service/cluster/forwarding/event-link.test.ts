import { expect } from 'chai'
import { createEventBus } from '../../../../bot/event-bus.ts'
import type { ProjectEvent } from '../../../../bot/events.ts'
import { EventLink } from '../../../../service/cluster/forwarding/event-link.ts'
import type { PeerService } from '../../../../lib/sharing/forwarding.ts'
import { silent } from '../../../support/encode-queue.ts'
import { eventually } from '../../../support/service.ts'

const botId = '900000000000000001'
const projectId = `prj_${'0'.repeat(20)}`

interface Service {
  readonly link: EventLink
  readonly heard: string[]
  emit(guildId: number): void
  passed(): Promise<void>
}

const peerOf = (serviceId: string): PeerService => ({ serviceId, url: `http://${serviceId}.test` })
const emptied = (guildId: string): ProjectEvent['event'] => ({ type: 'queueEmptied', botId, guildId })
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(from + at))

describe('events between services', () => {
  /** Fate of the next calls: the call arrives, gets lost, or its response gets lost. */
  let fates: ('arrives' | 'lost' | 'unacknowledged')[] = []
  const all = new Map<string, Service>()
  const present = new Set<string>()

  function open(serviceId: string): Service {
    const events = createEventBus({ log: silent })
    const heard: string[] = []
    events.subscribe(({ event }) => void heard.push((event as { guildId: string }).guildId))
    const link = new EventLink({
      events,
      peers: () => [...present].filter((id) => id !== serviceId).map(peerOf),
      self: () => peerOf(serviceId),
      async call(service, path, body) {
        await new Promise(setImmediate)
        const fate = fates.shift() ?? 'arrives'
        if (fate === 'lost') throw new Error('lost')
        all.get(service.serviceId)?.link.receive(path, body)
        if (fate === 'unacknowledged') throw new Error('unacknowledged')
        return { ok: true }
      },
      refresh: async () => undefined,
      log: silent,
    })
    const service: Service = {
      link,
      heard,
      emit: (guildId) => events.emit({ projectId, event: emptied(String(guildId)) }),
      passed: () => events.passed(),
    }
    all.set(serviceId, service)
    present.add(serviceId)
    return service
  }

  afterEach(async () => {
    fates = []
    for (const { link } of all.values()) await link.close()
    all.clear()
    present.clear()
  })

  it('have reached every other service when they count as passed on, while others follow', async () => {
    const [a, b, c] = [open('a'), open('b'), open('c')]
    for (let n = 0; n < 250; n += 1) a.emit(n)
    const passed = a.passed()
    for (let n = 250; n < 1000; n += 1) a.emit(n)
    await passed
    for (const { heard } of [b, c]) expect(heard.slice(0, 250)).to.deep.equal(numbers(250))
  })

  it('reach every other service once and in order, though calls and answers are lost', async () => {
    const [a, b, c] = [open('a'), open('b'), open('c')]
    for (let n = 0; n < 60; n += 1) fates.push((['lost', 'arrives', 'unacknowledged'] as const)[n % 3] ?? 'arrives')
    for (let n = 0; n < 500; n += 1) {
      a.emit(n)
      if (n % 50 === 0) await new Promise(setImmediate)
    }
    await eventually(
      () => [b.heard.length, c.heard.length],
      ([ofB, ofC]) => ofB === 500 && ofC === 500,
    )
    await a.link.flush()
    expect([a.heard, b.heard, c.heard]).to.deep.equal([numbers(500), numbers(500), numbers(500)])
    expect(b.link.counts()).to.include({ received: 500, sent: 0 })
  })

  it('reach a service from the moment that it joins', async () => {
    const a = open('a')
    a.emit(0)
    const b = open('b')
    // The others have not learned of it by the leases yet.
    present.delete('b')
    present.add('a')
    await b.link.join()
    for (let n = 1; n < 20; n += 1) a.emit(n)
    await eventually(
      () => b.heard.length,
      (count) => count === 19,
    )
    expect(b.heard).to.deep.equal(numbers(19, 1))
  })

  it('are kept for a service that does not answer for a while', async () => {
    const [a, b] = [open('a'), open('b')]
    fates = Array(4).fill('lost')
    a.emit(1)
    a.emit(2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    a.emit(3)
    await eventually(
      () => b.heard.length,
      (count) => count === 3,
    )
    expect(b.heard).to.deep.equal(['1', '2', '3'])
  })

  it('are kept for a service that hangs before there was anything to tell it', async () => {
    const [a, b] = [open('a'), open('b')]
    await a.link.join()
    present.delete('b')
    fates = Array(2).fill('lost')
    a.emit(1)
    await eventually(
      () => b.heard.length,
      (count) => count === 1,
    )
  })

  it('tell which players have changed', async () => {
    const [a, b] = [open('a'), open('b')]
    const changed: string[] = []
    b.link.onPeerChanged(({ guildId }) => void changed.push(guildId))
    for (let n = 0; n < 100; n += 1) a.link.changed({ botId, guildId: String(n % 2) })
    await eventually(
      () => changed.length,
      (count) => count >= 2,
    )
    expect(changed.toSorted()).to.deep.equal(['0', '1'])
  })
})
