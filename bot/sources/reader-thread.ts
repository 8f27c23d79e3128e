import { parentPort, workerData } from 'node:worker_threads'
import type { FileState } from '../../db/library.ts'
import { Fault } from '../../errors.ts'
import { createEgress } from '../../upstream/egress.ts'
import { fileBytes } from './bytes.ts'
import { readFacts, sniffBytes, type AudioFacts } from './facts.ts'
import { createFolderWatch, walk } from './folder.ts'
import { probeUrl } from './probe.ts'
import type { FromReader, ReaderData, ToReader } from './reader-protocol.ts'

// Reading tags and lengths takes tens of milliseconds, and a damaged file may take seconds: none of it is for the thread
// that answers requests.

const port = parentPort
if (!port) throw new Error('This file is started as a thread by reader.ts.')

const { allowHosts } = workerData as ReaderData
const egress = createEgress({ allowHosts })
const running = new Map<number, AbortController>()
const walks = new Map<number, AsyncGenerator<readonly FileState[]>>()
const watching = createFolderWatch(() => send({ id: null, changed: true }))

port.on('message', (message: ToReader) => {
  if (message.task === 'cancel') running.get(message.id)?.abort()
  else void perform(message)
})

async function perform(message: Exclude<ToReader, { task: 'cancel' }>): Promise<void> {
  const { id } = message
  const stopping = new AbortController()
  running.set(id, stopping)
  try {
    send({ id, output: await outputOf(message, stopping.signal) })
  } catch (error) {
    if (error instanceof Fault) {
      send({ id, fault: { code: error.code, message: error.message, details: error.details } })
    } else send({ id, error: error instanceof Error ? error.message : String(error) })
  } finally {
    running.delete(id)
  }
}

function outputOf(message: Exclude<ToReader, { task: 'cancel' }>, signal: AbortSignal) {
  switch (message.task) {
    case 'readFile':
      return readFile(message.input.path)
    case 'probe':
      return probeUrl(message.input.url, { egress, signal, field: message.input.field })
    case 'walk':
      return nextOf(message.input.walkId, message.input.folder)
  }
}

async function readFile(path: string): Promise<AudioFacts | null> {
  const bytes = await fileBytes(path)
  try {
    const found = await sniffBytes(bytes)
    return found.kind === 'audio' ? await readFacts(bytes, found, true) : null
  } finally {
    await bytes.close()
  }
}

async function nextOf(walkId: number, folder: string): Promise<readonly FileState[] | null> {
  const going = walks.get(walkId) ?? walk(folder, (path) => watching.add(path))
  walks.set(walkId, going)
  const { done, value } = await going.next()
  if (!done) return value
  walks.delete(walkId)
  return null
}

function send(message: FromReader): void {
  port?.postMessage(message)
}
