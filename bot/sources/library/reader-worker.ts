import { serveTasks, threadData } from '../../../lib/workers/serve-tasks.ts'
import { runInContext } from '../../../lib/request-context.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { fileBytes, type RandomAccessBytes } from '../http/random-access.ts'
import { readFileChapters } from '../chapters/file-chapters.ts'
import { PICTURE_MAX_BYTES } from '../../covers/fetch-picture.ts'
import { readFacts, readPicture, sniffBytes, type AudioFacts } from './audio-tags.ts'
import { createHlsWindows, type HlsRequest, type HlsWindow } from '../hls/hls-windows.ts'
import { walk, type WalkStep } from './folder.ts'
import { probeChapters, probeUrl } from '../http/probe.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { readFeed } from '../podcast/read-feed.ts'
import type { ReaderData, ReaderOutput, ReaderTask } from './reader-protocol.ts'

// Reading tags and lengths takes tens of milliseconds, and a damaged file may take seconds: none of it is for the thread
// that answers requests.

let guard: Promise<Egress> | null = null
let windows: ReturnType<typeof createHlsWindows> | null = null
const walks = new Map<number, AsyncGenerator<WalkStep>>()

serveTasks<ReaderTask, ReaderOutput>((message, signal) => {
  switch (message.task) {
    case 'readFile':
      return withFile(message.input.path, readFile)
    case 'readPicture':
      return withFile(message.input.path, (bytes) => pictureOf(bytes, message.input.isPicture))
    case 'feed': {
      const { url, outgoing } = message.input
      return counted(outgoing, async () => readFeed(url, await openEgress(), signal))
    }
    case 'probe': {
      const { url, outgoing } = message.input
      return counted(outgoing, async () => probeUrl(url, { egress: await openEgress(), signal }))
    }
    case 'chapters': {
      const { input } = message
      if ('path' in input) return withFile(input.path, readChapters)
      return counted(input.outgoing, async () => probeChapters(input.url, { egress: await openEgress(), signal }))
    }
    case 'hlsWindow':
      return readHlsWindow(message.input, signal)
    case 'walk':
      return nextOf(message.input.walkId, message.input.folder)
  }
})

/** The way out. Its HTTP client is 109 modules, a third of what this thread had at its start, and files need none. */
function openEgress(): Promise<Egress> {
  return (guard ??= load())
}

async function load(): Promise<Egress> {
  const { createEgress } = await import('../../../upstream/egress/egress-guard.ts')
  return createEgress(threadData() as ReaderData)
}

async function readHlsWindow(request: HlsRequest, signal: AbortSignal): Promise<HlsWindow> {
  const egress = await openEgress()
  windows ??= createHlsWindows(egress)
  return windows(request, signal)
}

function counted<T>(outgoing: Int32Array | null, work: () => Promise<T>): Promise<T> {
  return runInContext({ fields: {}, isOver: false, ...(outgoing && { outgoing }) }, work)
}

async function withFile<T>(path: string, read: (bytes: RandomAccessBytes) => Promise<T>): Promise<T> {
  const bytes = await fileBytes(path)
  try {
    return await read(bytes)
  } finally {
    await bytes.close()
  }
}

async function readChapters(bytes: RandomAccessBytes): Promise<readonly FoundChapter[]> {
  const found = await sniffBytes(bytes)
  return found.kind === 'audio' ? readFileChapters(bytes, found) : []
}

async function readFile(bytes: RandomAccessBytes): Promise<AudioFacts | null> {
  const found = await sniffBytes(bytes)
  return found.kind === 'audio' ? readFacts(bytes, found, true) : null
}

async function pictureOf(bytes: RandomAccessBytes, isPicture: boolean): Promise<Uint8Array | null> {
  if (!isPicture) return readPicture(bytes)
  return bytes.size !== null && bytes.size <= PICTURE_MAX_BYTES ? bytes.read(0, bytes.size) : null
}

async function nextOf(walkId: number, folder: string): Promise<WalkStep | null> {
  const going = walks.get(walkId) ?? walk(folder)
  walks.set(walkId, going)
  const { done, value } = await going.next()
  if (!done) return value
  walks.delete(walkId)
  return null
}
