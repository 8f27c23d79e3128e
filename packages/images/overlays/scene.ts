import type { Canvas } from '@napi-rs/canvas'
import type { z } from 'zod'
import type { Effect, EffectContext } from '../declaration.ts'
import type { Frame } from '../codec/picture.ts'
import { apart, type Box, type Pen, type Size } from './canvas.ts'
import { registerFonts } from './fonts.ts'

/** Drawings of an overlay around its pictures. All lengths are pixels of the result. */
export interface Scene extends Size {
  readonly slots: readonly Slot[]
  /** Drawn once for all frames, beneath the pictures. */
  readonly under?: (pen: Pen) => void
  /** Drawn once for all frames, above the pictures. */
  readonly over?: (pen: Pen) => void
  /** The blend mode of `over`. */
  readonly blend?: Pen['globalCompositeOperation']
  /** The opacity of `over`, 0 to 1. */
  readonly opacity?: number
}

/** The place of a picture, which fills the box and is cropped to it. */
export interface Slot extends Box {
  /** 0 is the first picture. */
  readonly picture?: number
  /** Turned about the middle of the box, in degrees. */
  readonly angle?: number
  /** Lays the path that the picture is cut along; without it the box is. */
  readonly clip?: (pen: Pen) => void
  /** A filter as in CSS. */
  readonly filter?: string
  /** Stretched from a handful of pixels: a cheap blur for backgrounds. */
  readonly soft?: boolean
}

interface SceneSpec<P extends z.ZodObject> {
  readonly inputs?: 1 | 2
  readonly params: P
  readonly compose: (sizes: readonly Size[], params: z.output<P>) => Scene
}

type Prepared = ReturnType<typeof prepare>

/** Declares an overlay whose drawing is the same on every frame: it is painted once and laid over each. */
export function scene<P extends z.ZodObject>(name: string, summary: string, spec: SceneSpec<P>): Effect {
  // The frames of one job share their parameters, as an object.
  const prepared = new WeakMap<object, Prepared>()
  return {
    kind: 'overlay',
    name,
    summary,
    inputs: spec.inputs ?? 1,
    params: spec.params,
    animate: () => null,
    pipe: null,
    run(frames, params, context) {
      let ready = prepared.get(params)
      if (!ready || ready.sizes.some(({ width, height }, i) => !sameSize(frames[i], width, height))) {
        ready = prepare(spec.compose(frames, params as z.output<P>), frames, context)
        prepared.set(params, ready)
      }
      return assemble(ready, frames, context)
    },
  }
}

function sameSize(frame: Frame | undefined, width: number, height: number): boolean {
  return frame?.width === width && frame.height === height
}

function prepare(composed: Scene, frames: readonly Frame[], context: EffectContext) {
  registerFonts(context.canvas.GlobalFonts)
  const layer = (draw?: (pen: Pen) => void) => {
    if (!draw) return null
    const canvas = context.canvas.createCanvas(composed.width, composed.height)
    draw(smooth(canvas))
    return canvas
  }
  const sizes = frames.map(({ width, height }) => ({ width, height }))
  return { scene: composed, sizes, under: layer(composed.under), over: layer(composed.over) }
}

function assemble(
  { scene: composed, under, over }: Prepared,
  frames: readonly Frame[],
  context: EffectContext,
): Canvas {
  const canvas = context.canvas.createCanvas(composed.width, composed.height)
  const pen = smooth(canvas)
  if (under) pen.drawImage(under, 0, 0)
  const painted = frames.map((frame) => context.paint(frame))
  for (const slot of composed.slots) {
    const picture = painted[slot.picture ?? 0]
    if (picture) place(pen, slot.soft ? soften(picture, context) : picture, slot)
  }
  if (over) {
    pen.globalAlpha = composed.opacity ?? 1
    pen.globalCompositeOperation = composed.blend ?? 'source-over'
    pen.drawImage(over, 0, 0)
  }
  return canvas
}

function place(pen: Pen, picture: Canvas, slot: Slot): void {
  apart(pen, () => {
    if (slot.angle) {
      const [x, y] = [slot.x + slot.width / 2, slot.y + slot.height / 2]
      pen.translate(x, y)
      pen.rotate((slot.angle * Math.PI) / 180)
      pen.translate(-x, -y)
    }
    pen.beginPath()
    if (slot.clip) slot.clip(pen)
    else pen.rect(slot.x, slot.y, slot.width, slot.height)
    pen.clip()
    if (slot.filter) pen.filter = slot.filter
    const scale = Math.max(slot.width / picture.width, slot.height / picture.height)
    const [width, height] = [slot.width / scale, slot.height / scale]
    const [x, y] = [(picture.width - width) / 2, (picture.height - height) / 2]
    pen.drawImage(picture, x, y, width, height, slot.x, slot.y, slot.width, slot.height)
  })
}

function soften(picture: Canvas, context: EffectContext): Canvas {
  const side = 12
  const small = context.canvas.createCanvas(side, side)
  smooth(small).drawImage(picture, 0, 0, side, side)
  const larger = context.canvas.createCanvas(side * 8, side * 8)
  const pen = smooth(larger)
  pen.filter = 'blur(6px)'
  pen.drawImage(small, -8, -8, side * 8 + 16, side * 8 + 16)
  return larger
}

function smooth(canvas: Canvas): Pen {
  const pen = canvas.getContext('2d')
  pen.imageSmoothingEnabled = true
  pen.imageSmoothingQuality = 'high'
  pen.lang = 'en'
  return pen
}

const LEAST_EDGE = 256

/** The size for a drawing on the picture itself: its own, or larger where it is too small to draw upon. */
export function roomFor({ width, height }: Size): Size {
  const scale = Math.max(1, LEAST_EDGE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The length that a card's picture edge gets: the picture's own, within bounds that suit a card. */
export function edgeOf({ width, height }: Size, [least, most]: readonly [number, number] = [420, 900]): number {
  return Math.round(Math.min(most, Math.max(least, Math.max(width, height))))
}

export function full(size: Size): Box {
  return { x: 0, y: 0, width: size.width, height: size.height }
}

/** A hundredth of the mean edge, the unit in which drawings on a picture measure themselves. */
export function unitOf({ width, height }: Size): number {
  return Math.max(0.5, Math.min(Math.sqrt(width * height), Math.min(width, height) * 1.6) / 100)
}
