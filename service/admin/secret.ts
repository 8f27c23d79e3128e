import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import { Fault } from '../../lib/errors.ts'

/** The standard streams of a command. Standard output carries results and nothing else. */
export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}

const MAX_BYTES = 8192

export function isTerminal({ stdin }: Pick<Streams, 'stdin'>): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true
}

/** Reads a secret: all of standard input, or, where that is a terminal, one line that is not shown. */
export async function readSecret({ stdin, stderr }: Streams, prompt: string): Promise<string> {
  if (!isTerminal({ stdin })) return (await readAll(stdin)).trim()
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // The interface turns the terminal's echo off: text pasted at the prompt is not shown either.
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  stderr.write(prompt)
  try {
    return (await lines.question('')).trim()
  } catch (cause) {
    throw new Fault('bad_request', 'Cancelled; nothing changed.', { cause })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk.toString()
    if (text.length > MAX_BYTES)
      throw new Fault('validation_error', `Standard input is longer than ${MAX_BYTES} bytes. Pipe only the token.`)
  }
  return text
}
