import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Streams } from './secret.ts'
import { ROOT } from '../../lib/installation.ts'

/** Asks in a terminal whether to start the service, and stays until it has ended where the answer is yes. */
export async function offerStart({ stdin, stderr }: Streams): Promise<void> {
  const lines = createInterface({ input: stdin, output: stderr })
  const answer = await lines.question('Start Bandstand now? [Y/n] ').catch(() => 'n')
  lines.close()
  if (!/^(?:y(?:es)?)?$/i.test(answer.trim())) return
  // Ctrl-C reaches both: the service finishes what it is at, and this waits for it.
  process.on('SIGINT', ignoreSignal)
  await once(spawn('npm', ['start'], { cwd: ROOT, stdio: 'inherit' }), 'exit')
  process.off('SIGINT', ignoreSignal)
}

function ignoreSignal(): void {}
