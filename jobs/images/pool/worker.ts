import process from 'node:process'
import sharp from 'sharp'
import {
  type Effect,
  type EffectParams,
  findEffect,
  LIMITS,
  type OutputFormat,
  type Picture,
  Refusal,
  type ImageResult,
} from 'bandstand-images'
import { decode, direct, encode, inspect, type Inspected, perform, shutLoaders } from 'bandstand-images/work'
import { releaseBuffer } from '../../../lib/buffers.ts'
import { openFiles } from '../files.ts'
import { OUT_OF_MEMORY, type Work, type WorkerMessage, type WorkHead } from './protocol.ts'

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
    const dataBytes = data.length
    files.write(data)
    return { type: 'done', result: { ...result, dataBytes } }
  } catch (error) {
    if (error instanceof Refusal)
      return { type: 'refused', input: error.input, reason: error.reason, message: error.message }
    return { type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function render({ kind, effect: name, params, pictures, format, size }: Work): Promise<ImageResult> {
  if (kind === 'shrink') return shrink(pictures, size)
  const effect = findEffect(kind, name)
  const files = await eachInput(pictures, inspect)
  const drawn = (await direct(effect, params, files, size)) ?? (await stepwise(effect, params, files, size))
  for (const picture of pictures) releaseBuffer(picture)
  const result = await encode(drawn, format ?? (drawn.frames.length > 1 ? movingFormat(files) : 'png'))
  giveBackAll(drawn)
  return result
}

async function shrink(pictures: readonly Buffer[], size: number): Promise<ImageResult> {
  const [file] = await eachInput(pictures, inspect)
  if (!file) throw new Error('There is nothing to shrink.')
  // Only the first frame of an animation.
  const picture = await decode({ ...file, frames: 1 }, size)
  for (const bytes of pictures) releaseBuffer(bytes)
  const result = await encode(picture, 'webp')
  giveBackAll(picture)
  return result
}

async function stepwise(effect: Effect, params: EffectParams, files: readonly Inspected[], size: number) {
  const decoded = await eachInput(files, (file) => decode(file, size))
  const drawn = await perform(effect, decoded, params)
  const isSame = (data: Uint8Array) => drawn.frames.some((frame) => frame.data.buffer === data.buffer)
  for (const picture of decoded) if (!picture.frames.some(({ data }) => isSame(data))) giveBackAll(picture)
  return drawn
}

function giveBackAll({ frames }: Picture): void {
  for (const { data } of frames) releaseBuffer(data)
}

/** An animation stays what it was; one that is made of still pictures is a GIF, which plays everywhere. */
function movingFormat(files: readonly Inspected[]): OutputFormat {
  return files.find(({ frames }) => frames > 1)?.format === 'webp' ? 'webp' : 'gif'
}

/** One after the other: two large pictures at once would be beyond the memory. A refusal tells which it was. */
async function eachInput<T, R>(inputs: readonly T[], work: (input: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [at, input] of inputs.entries()) results.push(await work(input).catch(ofInput(at)))
  return results
}

function ofInput(at: number): (error: unknown) => never {
  return (error) => {
    throw error instanceof Refusal ? new Refusal(error.message, error.reason, at) : error
  }
}

function say(message: WorkerMessage): void {
  process.send?.(message)
}
