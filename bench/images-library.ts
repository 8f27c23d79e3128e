import sharp, { type Sharp } from 'sharp'
import { CONCURRENCY, THUMBNAIL, type LibraryOrder, type LibraryReport } from './images-orders.ts'

/** What the filters do, by hand, where the library has an operation for it; the others are held against re-encoding. */
const BARE: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  greyscale: (picture) => picture.modulate({ saturation: 0 }),
  sepia: (picture) =>
    picture.recomb([
      [0.39, 0.77, 0.19],
      [0.35, 0.69, 0.17],
      [0.27, 0.53, 0.13],
    ]),
  invert: (picture) => picture.negate({ alpha: false }),
  saturate: (picture) => picture.modulate({ saturation: 1.8 }),
  hue: (picture) => picture.modulate({ hue: 90 }),
  brightness: (picture) => picture.linear(1, 60),
  contrast: (picture) => picture.linear(1.6, -70),
  gamma: (picture) => picture.gamma(1.6),
  tint: (picture) => picture.tint('#5865f2'),
  threshold: (picture) => picture.threshold(128),
  blur: (picture) => picture.blur(6),
  sharpen: (picture) => picture.sharpen({ sigma: 2 }),
  rotate: (picture) => picture.rotate(90),
  flip: (picture) => picture.flop(),
  resize: (picture) => picture.resize(512, 512, { fit: 'fill' }),
  [THUMBNAIL]: (picture) => picture.resize(500).jpeg({ quality: 85 }),
}

let picture: Uint8Array = Buffer.alloc(0)
sharp.concurrency(1)
process.on('message', (order: LibraryOrder) => {
  if ('picture' in order) picture = order.picture
  else void draw(order).then((report) => process.send?.(report))
})

async function draw({ filter, times }: Exclude<LibraryOrder, { picture: Uint8Array }>): Promise<LibraryReport> {
  const bare = BARE[filter] ?? ((same: Sharp) => same)
  const finish = (drawn: Sharp) => (filter === THUMBNAIL ? drawn : drawn.png())
  const [before, startedAtMs] = [process.cpuUsage(), performance.now()]
  let [left, bytes] = [times, 0]
  const lane = async (): Promise<void> => {
    while (left-- > 0) bytes = (await finish(bare(sharp(picture))).toBuffer()).length
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  const { user, system } = process.cpuUsage(before)
  return { isOwn: filter in BARE, tookMs: performance.now() - startedAtMs, cpuMs: (user + system) / 1000, bytes }
}
