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

/** The line of an audio thread to the main thread. */
export interface Line extends Port {
  tell(event: AudioEvent): void
}

/** A port that sends the positions of one turn in one message. All messages keep their order. */
export function openLine(port: Port): Line {
  let positions: AudioEvent[] = []
  function flush(): void {
    if (positions.length === 0) return
    const events = positions
    positions = []
    send(port, { kind: 'events', events })
  }
  function postMessage(message: unknown): void {
    flush()
    port.postMessage(message)
  }
  return {
    on: (name, listener) => port.on(name, listener),
    postMessage,
    tell(event) {
      if (event.type !== 'position') postMessage({ kind: 'events', events: [event] } satisfies FromThread)
      else if (positions.push(event) === 1) setImmediate(flush)
    },
  }
}
