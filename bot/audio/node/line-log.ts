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
