import { serveTasks, threadData } from '../../../lib/workers/serve-tasks.ts'
import { runInContext } from '../../../lib/request-context.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { fileBytes } from '../http/random-access.ts'
import { readFileChapters } from '../chapters/file-chapters.ts'
import { PICTURE_MAX_BYTES } from '../../covers/fetch-picture.ts'
import { readFacts, readPicture, sniffBytes, type AudioFacts } from './audio-tags.ts'
import { createHlsWindows } from '../http/hls-windows.ts'
import { walk, type WalkStep } from './folder.ts'
import { probeChapters, probeUrl } from '../http/probe.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { readFeed } from '../podcast/read-feed.ts'
import type { ReaderData, ReaderOutput, ReaderTask } from './reader-protocol.ts'

// Reading tags and lengths takes tens of milliseconds, and a damaged file may take seconds: none of it is for the thread
// that answers requests.

const egress = createEgress(threadData() as ReaderData)
const readHlsWindow = createHlsWindows(egress)
const walks = new Map<number, AsyncGenerator<WalkStep>>()

serveTasks<ReaderTask, ReaderOutput>((message, signal) => {
  switch (message.task) {
    case 'readFile':
      return readFile(message.input.path)
    case 'readPicture':
      return pictureOf(message.input.path, message.input.isPicture)
    case 'feed': {
      const { url, outgoing } = message.input
      return counted(outgoing, () => readFeed(url, { egress, signal }))
    }
    case 'probe': {
      const { url, outgoing } = message.input
      return counted(outgoing, () => probeUrl(url, { egress, signal }))
    }
    case 'chapters': {
      const { input } = message
      if ('path' in input) return readChapters(input.path)
      return counted(input.outgoing, () => probeChapters(input.url, { egress, signal }))
    }
    case 'hlsWindow':
      return readHlsWindow(message.input, signal)
    case 'walk':
      return nextOf(message.input.walkId, message.input.folder)
  }
})

function counted<T>(outgoing: Int32Array | null, work: () => Promise<T>): Promise<T> {
  return runInContext({ fields: {}, isOver: false, ...(outgoing && { outgoing }) }, work)
}

async function readChapters(path: string): Promise<readonly FoundChapter[]> {
  const bytes = await fileBytes(path)
  try {
    const found = await sniffBytes(bytes)
    return found.kind === 'audio' ? await readFileChapters(bytes, found) : []
  } finally {
    await bytes.close()
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

async function pictureOf(path: string, isPicture: boolean): Promise<Uint8Array | null> {
  const bytes = await fileBytes(path)
  try {
    if (!isPicture) return await readPicture(bytes)
    return bytes.size !== null && bytes.size <= PICTURE_MAX_BYTES ? await bytes.read(0, bytes.size) : null
  } finally {
    await bytes.close()
  }
}

async function nextOf(walkId: number, folder: string): Promise<WalkStep | null> {
  const going = walks.get(walkId) ?? walk(folder)
  walks.set(walkId, going)
  const { done, value } = await going.next()
  if (!done) return value
  walks.delete(walkId)
  return null
}
