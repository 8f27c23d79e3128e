import { parentPort, workerData } from 'node:worker_threads'
import { collectAfterLoading } from '../../../lib/process/collect-garbage.ts'
import { setThreadPriority } from '../../../lib/workers/thread-priority.ts'
import { startEngine } from './engine.ts'
import { createTrackMarks } from '../watchdog/track-marks.ts'
import type { ThreadSetup } from './rpc.ts'

if (!parentPort)
  throw new Error('bot/audio/node/worker.ts is the inside of a worker thread; bot/audio/node/audio-node.ts starts it.')
/**
 * A frame is due every 20 ms and takes microseconds, so all other work can wait for it. Needs a privilege (root, or
 * a service manager's `LimitNICE`).
 */
const FIRST_NICE = -10
setThreadPriority(FIRST_NICE)
// Frees the garbage of module loading before anything plays.
collectAfterLoading()
const setup = workerData as ThreadSetup
startEngine(parentPort, setup, createTrackMarks(setup.marked))
