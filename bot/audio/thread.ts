import { parentPort, workerData } from 'node:worker_threads'
import { startEngine } from './engine.ts'
import type { ThreadSetup } from './wire.ts'

if (!parentPort) throw new Error('bot/audio/thread.ts is the inside of a worker thread; bot/audio/node.ts starts it.')
startEngine(parentPort, workerData as ThreadSetup)
