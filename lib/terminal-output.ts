import { pino } from 'pino'
import { settleWithin } from './deadline.ts'
import { bufferedOutput, type LogOutput } from './log-output.ts'

/** Maximum wait for the writing thread when the process ends. */
const CLOSE_WITHIN_MS = 1000
const ANSWERED = '"msg":"request answered"'

/** Returns the log output of a process: lines for a person in a terminal, JSON for programs elsewhere. */
export function standardOutput(level: string): LogOutput {
  return process.stdout.isTTY ? terminalOutput(level) : bufferedOutput()
}

/**
 * Readable lines, written by a thread of its own; what is no JSON passes as it is. The line of each answered request is left
 * out, since those would push all else out of sight; `debug` and `trace` show it.
 */
function terminalOutput(level: string): LogOutput {
  const showsAll = level === 'debug' || level === 'trace'
  const transport = pino.transport({
    target: 'pino-pretty',
    options: { translateTime: 'SYS:HH:MM:ss', singleLine: true, colorize: process.stdout.hasColors() },
  })
  return {
    write(line) {
      if (showsAll || !line.includes(ANSWERED)) transport.write(line)
    },
    async close() {
      const closed = new Promise<void>((resolve) => transport.once('close', resolve))
      transport.end()
      await settleWithin(CLOSE_WITHIN_MS, closed)
    },
  }
}
