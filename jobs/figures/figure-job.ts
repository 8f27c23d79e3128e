import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type ArmWidth, capeSheet, FIGURE_VERSION, type FigureSpec, wearable } from 'bandstand-figures'
import { defaultSkin, encodeFigure, type TextureKind } from 'bandstand-figures/files'
import { job, type Job, type JobTools, type Picture } from '../queue/job.ts'
import { fetchTexture } from './fetch-texture.ts'
import { createFigureRenderer, type Renderer } from './figure-thread.ts'
import { FigureRequest } from './figure-request.ts'

const KEPT_BYTES = 32 * 1024 * 1024

/** A block-game figure. It needs no browser: drawn in a thread, it costs a quarter of what WebGL in a page takes. */
export const figure = createFigureJob({})

/** Nothing runs before the first figure, and nothing is left over when there was none for a while. */
export function createFigureJob({ fetchMs = 8000 }: { readonly fetchMs?: number }): Job<typeof FigureRequest> {
  let renderer: Renderer | null = null
  const drawn = new LRUCache<string, Picture>({ maxSize: KEPT_BYTES, sizeCalculation: ({ bytes }) => bytes.length })
  return job({
    type: 'blockgame.render',
    data: FigureRequest,
    timeoutMs: 30_000,
    attempts: 2,
    async run(data, tools) {
      const spec = await dress(data, tools, fetchMs)
      const key = keyOf(spec)
      const known = drawn.get(key)
      if (known) return known
      tools.progress('rendering')
      renderer ??= createFigureRenderer(tools.log)
      const pixels = await renderer.draw(spec, tools.signal)
      tools.progress('encoding')
      const picture = await encodeFigure(pixels)
      drawn.set(key, picture)
      return picture
    },
  })
}

async function dress(
  { render, scale, skin, model, capeUrl }: FigureRequest,
  tools: JobTools,
  timeoutMs: number,
): Promise<FigureSpec> {
  const { egress, signal } = tools
  const fetched = (url: string, kind: TextureKind) => fetchTexture(url, kind, { egress, signal, timeoutMs })
  const [worn, cape] = await Promise.all([
    'url' in skin ? fetched(skin.url, 'skin') : defaultSkin(ARMS[skin.byDefault]),
    capeUrl === null ? null : fetched(capeUrl, 'cape'),
  ])
  const { skin: ready, arms } = wearable(worn)
  return { pose: render, scale, arms: model ?? arms, skin: ready, cape: cape && capeSheet(cape) }
}

const ARMS: Readonly<Record<'steve' | 'alex', ArmWidth>> = { steve: 'classic', alex: 'slim' }

/** The same for all that would give the same picture, wherever its textures came from. */
function keyOf({ pose, scale, arms, skin, cape }: FigureSpec): string {
  const hash = createHash('sha256').update(`${FIGURE_VERSION} ${pose} ${scale} ${arms}`)
  for (const texture of [skin, cape]) hash.update(texture ? `${texture.width} ` : 'none').update(texture?.rgba ?? '')
  return hash.digest('hex')
}
