import { serveTasks, threadData } from '../../../lib/workers/serve-tasks.ts'
import { runInContext } from '../../../lib/request-context.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { fileBytes } from '../http/random-access.ts'
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
      return readFile(message.input.path)
    case 'readPicture':
      return pictureOf(message.input.path, message.input.isPicture)
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
      if ('path' in input) return readChapters(input.path)
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
