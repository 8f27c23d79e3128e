import type * as Canvas from '@napi-rs/canvas'
import type sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { z } from 'zod'
import type { Frame } from './codec/picture.ts'

/**
 * The tools of an effect besides its picture. The libraries come from here and never from an `import` of their values:
 * the lists of effects are read on the main thread too, where neither may be loaded.
 */
export interface EffectContext {
  readonly sharp: typeof sharp
  readonly canvas: typeof Canvas
  /** The number of the frame being drawn, from 0, and of all frames. */
  readonly frame: number
  readonly frames: number
  /** A fresh pipeline over a frame. Sharp runs its operations in an order of its own: for two of a kind open twice. */
  readonly open: (frame: Frame) => Sharp
  /** The pixels of what a pipeline or a canvas holds. */
  readonly flatten: (drawn: Drawn) => Promise<Frame>
  /** A canvas with a frame on it; the frame may be scaled by drawing this canvas on another. */
  readonly paint: (frame: Frame) => Canvas.Canvas
}

/** The result of an effect: pixels, a pipeline that has not run, or a canvas. All frames have to come out alike. */
export type Drawn = Frame | Sharp | Canvas.Canvas

type Result = Drawn | Promise<Drawn>

interface Declared<P extends z.ZodObject> {
  /** Made of the helpers of params.ts; never `url`, `url2`, `size` or `format`, which the routes have themselves. */
  readonly params: P
  /** Animates still pictures: the number of frames to draw, and the duration of each. Null: none. */
  readonly animate?: (params: z.output<P>) => { readonly frames: number; readonly delayMs: number } | null
}

interface RunSpec<P extends z.ZodObject> extends Declared<P> {
  /** Called for each frame; must leave the frame as it is. */
  readonly run: (frame: Frame, params: z.output<P>, context: EffectContext) => Result
}

interface PipeSpec<P extends z.ZodObject> extends Declared<P> {
  /**
   * The effect as a single pipeline: it may be put between decoder and encoder, so that a still picture is never taken
   * apart into pixels.
   */
  readonly pipe: (pipeline: Sharp, params: z.output<P>, size: Size) => Sharp
}

export type FilterSpec<P extends z.ZodObject> = RunSpec<P> | PipeSpec<P>

type Size = Pick<Frame, 'width' | 'height'>

/** A filter or an overlay with its types sealed in, so that all fit one table. */
export interface Effect {
  readonly kind: 'filter' | 'overlay'
  /** Lower case, unique among its kind: the last part of the route's path. */
  readonly name: string
  /** A description of the effect, as a person would say it: `Convert to greyscale`. */
  readonly summary: string
  readonly inputs: 1 | 2
  readonly params: z.ZodObject
  animate(params: EffectParams): { readonly frames: number; readonly delayMs: number } | null
  /** `params` are what `params.parse` gave. */
  run(frames: readonly Frame[], params: EffectParams, context: EffectContext): Result
  /** Null for what needs pixels, or more than one picture. */
  readonly pipe: ((pipeline: Sharp, params: EffectParams, size: Size) => Sharp) | null
}

export type EffectParams = Readonly<Record<string, unknown>>

/** Declares a filter: one picture in, the same picture changed out. Alpha is the filter's to keep. */
export function filter<P extends z.ZodObject>(name: string, summary: string, spec: FilterSpec<P>): Effect {
  const run: RunSpec<P>['run'] =
    'run' in spec ? spec.run : (frame, params, { open }) => spec.pipe(open(frame), params, frame)
  return {
    kind: 'filter',
    name,
    summary,
    inputs: 1,
    params: spec.params,
    animate: (params) => spec.animate?.(params as z.output<P>) ?? null,
    run: ([frame], params, context) => run(frame as Frame, params as z.output<P>, context),
    pipe: 'pipe' in spec ? (pipeline, params, size) => spec.pipe(pipeline, params as z.output<P>, size) : null,
  }
}
