import { EventEmitter, once } from 'node:events'
import { expect } from 'chai'
import { openLine } from '../../../../bot/audio/node/line-log.ts'
import type { AudioEvent } from '../../../../bot/audio/node/protocol.ts'
import type { FromThread } from '../../../../bot/audio/node/rpc.ts'

function position(guildId: string, positionMs: number): AudioEvent {
  return { botId: '1', guildId, type: 'position', playId: 1, positionMs }
}

function told(...events: readonly AudioEvent[]): FromThread {
  return { kind: 'events', events }
}

describe('the line of an audio thread', () => {
  const port = new EventEmitter()
  let sent: unknown[] = []
  const line = openLine({
    on: (name, listener) => port.on(name, listener),
    postMessage: (message) => {
      sent.push(message)
      port.emit('sent')
    },
  })
  beforeEach(() => {
    sent = []
  })

  it('sends the positions of one turn in one message', async () => {
    const first = once(port, 'sent')
    line.tell(position('1', 1000))
    line.tell(position('2', 2000))
    expect(sent).to.deep.equal([])
    await first
    const second = once(port, 'sent')
    line.tell(position('1', 3000))
    await second
    expect(sent).to.deep.equal([told(position('1', 1000), position('2', 2000)), told(position('1', 3000))])
  })

  it('sends everything else at once, behind the positions before it', () => {
    const answer: FromThread = { kind: 'answer', id: 1, value: null }
    const ended: AudioEvent = { botId: '1', guildId: '1', type: 'trackStarted', playId: 2 }
    line.tell(position('1', 1000))
    line.tell(ended)
    line.tell(position('1', 2000))
    line.postMessage(answer)
    expect(sent).to.deep.equal([told(position('1', 1000)), told(ended), told(position('1', 2000)), answer])
  })

  it('hears what comes', () => {
    const heard: unknown[] = []
    line.on('message', (message) => heard.push(message))
    port.emit('message', 'hello')
    expect(heard).to.deep.equal(['hello'])
  })
})
