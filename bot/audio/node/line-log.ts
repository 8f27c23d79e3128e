import type { AudioEvent } from './protocol.ts'
import { describe, type FromThread, type Port, type LogLevel } from './rpc.ts'

export function send(line: Port, message: FromThread): void {
  line.postMessage(message)
}

export function log(line: Port, level: LogLevel, fields: object, text: string): void {
  send(line, { kind: 'log', level, fields, text })
}

/** Logs what it is called with as a warning. */
export function warner(line: Port, text: string): (err: unknown) => void {
  return (err) => log(line, 'warn', { err: describe(err) }, text)
}

/** Sends the positions that are told in one turn as one message. Everything goes out in the order in which it came. */
export function batchPositions(line: Port): Port {
  let waiting: AudioEvent[] = []
  function flush(): void {
    if (waiting.length === 0) return
    const message: FromThread = { kind: 'events', events: waiting }
    waiting = []
    line.postMessage(message)
  }
  return {
    on: (name, listener) => line.on(name, listener),
    postMessage(message) {
      const position = positionIn(message as FromThread)
      if (!position) {
        flush()
        line.postMessage(message)
      } else if (waiting.push(position) === 1) setImmediate(flush)
    },
  }
}

function positionIn(message: FromThread): AudioEvent | null {
  if (message.kind !== 'events' || message.events.length !== 1) return null
  const [event] = message.events
  return event?.type === 'position' ? event : null
}
