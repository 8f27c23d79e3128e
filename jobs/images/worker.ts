import process from 'node:process'
import sharp from 'sharp'
import { findEffect } from './catalogue.ts'
import { direct } from './direct.ts'
import { decode, shutLoaders, type Decoded } from './decode.ts'
import { encode } from './encode.ts'
import { LIMITS } from './limits.ts'
import { perform } from './perform.ts'
import type { OutputFormat } from './picture.ts'
import { openFiles } from './files.ts'
import { OUT_OF_MEMORY, type ImageResult, type Work, type WorkerMessage, type WorkHead } from './protocol.ts'
import { Refusal } from './refusal.ts'

const MEMORY_CHECK_MS = 50

sharp.concurrency(1)
sharp.cache(false)
shutLoaders()
setInterval(() => {
  if (process.memoryUsage.rss() > LIMITS.memoryBytes) process.exit(OUT_OF_MEMORY)
}, MEMORY_CHECK_MS).unref()

process.on('disconnect', () => process.exit(0))
const files = openFiles()
process.on('message', ({ pictureBytes, ...head }: WorkHead) => {
  void files
    .read(pictureBytes)
    .then((pictures) => answer({ ...head, pictures }))
    .then(say)
})
say({ type: 'ready' })

async function answer(work: Work): Promise<WorkerMessage> {
  try {
    const { data, ...result } = await render(work)
    files.write(data)
    return { type: 'done', result: { ...result, dataBytes: data.length } }
  } catch (error) {
    if (error instanceof Refusal)
      return { type: 'refused', input: error.input, reason: error.reason, message: error.message }
    return { type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function render(work: Work): Promise<ImageResult> {
  const { params, pictures: files, format, size } = work
  const effect = findEffect(work.kind, work.effect)
  const quick = await direct(effect, work)
  if (quick) return quick
  const pictures: Decoded[] = []
  for (const [at, file] of files.entries()) {
    pictures.push(await decode(Buffer.from(file.buffer, file.byteOffset, file.byteLength), size).catch(ofInput(at)))
  }
  const drawn = await perform(effect, pictures, params)
  const moving = drawn.frames.length > 1 ? movingFormat(pictures) : 'png'
  return encode(drawn, format ?? moving)
}

/** An animation stays what it was; one that is made of still pictures is a GIF, which plays everywhere. */
function movingFormat(pictures: readonly Decoded[]): OutputFormat {
  return pictures.find(({ frames }) => frames.length > 1)?.format === 'webp' ? 'webp' : 'gif'
}

function ofInput(at: number): (error: unknown) => never {
  return (error) => {
    throw error instanceof Refusal ? new Refusal(error.message, error.reason, at) : error
  }
}

function say(message: WorkerMessage): void {
  process.send?.(message)
}
