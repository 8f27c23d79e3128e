import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { startEngine } from './engine.ts'
import { createTrackMarks } from './track-marks.ts'
import type { ThreadSetup } from './rpc.ts'

if (!parentPort)
  throw new Error('bot/audio/node/worker.ts is the inside of a worker thread; bot/audio/node/audio-node.ts starts it.')
preferThisThread()
const setup = workerData as ThreadSetup
startEngine(parentPort, setup, createTrackMarks(setup.marked))

/**
 * A frame has 20 ms and takes microseconds; whatever else the machine does can wait for it. On Linux a priority belongs
 * to the thread that sets it, so that the rest of the service keeps its own. It takes a privilege (root, or a
 * service manager's `LimitNICE`); without it all threads stay equal.
 */
function preferThisThread(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(-10)
  } catch {
    // Not allowed here.
  }
}
