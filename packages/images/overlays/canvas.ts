import type { SKRSContext2D } from '@napi-rs/canvas'

export type Pen = SKRSContext2D

export type Point = readonly [x: number, y: number]

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Box extends Size {
  readonly x: number
  readonly y: number
}

/** A fair die for overlays: the same seed throws the same numbers, on every machine. */
export type Dice = ReturnType<typeof createDice>

/** Mixes a counter (the finaliser of MurmurHash3), so that even neighbouring seeds look unrelated. */
export function createDice(seed: number) {
  let count = Math.imul(seed + 1, 0x9e3779b1)
  /** At least 0 and under 1. */
  const next = (): number => {
    count = (count + 0x6d2b79f5) | 0
    let mixed = count
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low: number, high: number) => low + next() * (high - low),
    pick: <T>(among: readonly T[]): T => among[Math.floor(next() * among.length)]!,
  }
}

/** `#rrggbb` with an opacity from 0 to 1. */
export function fade(colour: string, opacity: number): string {
  const [red, green, blue] = channels(colour)
  return `rgba(${red},${green},${blue},${Math.min(1, Math.max(0, opacity))})`
}

/** The way from one `#rrggbb` to another, `part` from 0 to 1. */
export function mix(from: string, to: string, part: number): string {
  const end = channels(to)
  const mixed = channels(from).map((value, i) => Math.round(value + (end[i]! - value) * part))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Black or white, whichever is read more easily on the colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = channels(colour)
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#16181d' : '#ffffff'
}

function channels(colour: string): readonly [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function fillBox(pen: Pen, box: Box, paint: Pen['fillStyle']): void {
  pen.fillStyle = paint
  pen.fillRect(box.x, box.y, box.width, box.height)
}

/** The path of a box with round corners, ready to be filled, stroked or clipped. */
export function roundBox(pen: Pen, box: Box, radius: number): void {
  pen.beginPath()
  pen.roundRect(box.x, box.y, box.width, box.height, Math.max(0, Math.min(radius, box.width / 2, box.height / 2)))
}

export function inset(box: Box, by: number): Box {
  return { x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by }
}

export function circle(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath()
  pen.arc(x, y, Math.max(0, radius), 0, Math.PI * 2)
}

/** An open path through the points; filled or clipped along, it is closed. */
export function path(pen: Pen, start: Point, ...points: readonly Point[]): void {
  pen.beginPath()
  pen.moveTo(...start)
  for (const point of points) pen.lineTo(...point)
}

/** Fills the current path. */
export function fill(pen: Pen, paint: Pen['fillStyle']): void {
  pen.fillStyle = paint
  pen.fill()
}

/** Sets the paint and width of lines. */
export function useStroke(pen: Pen, paint: Pen['strokeStyle'], width: number): void {
  pen.strokeStyle = paint
  pen.lineWidth = width
}

/** Colours by where they are on the way, 0 to 1. */
type Stops = Readonly<Record<number, string>>

export function linear(pen: Pen, from: Point, to: Point, stops: Stops) {
  return withStops(pen.createLinearGradient(...from, ...to), stops)
}

export function radial(pen: Pen, [x, y]: Point, [inner, outer]: readonly [number, number], stops: Stops) {
  return withStops(pen.createRadialGradient(x, y, inner, x, y, outer), stops)
}

function withStops(gradient: ReturnType<Pen['createLinearGradient']>, stops: Stops) {
  // An object lists 0 and 1 before the numbers between them.
  const inOrder = Object.entries(stops).toSorted(([a], [b]) => Number(a) - Number(b))
  for (const [at, colour] of inOrder) gradient.addColorStop(Number(at), colour)
  return gradient
}

/** Draws with the pen's state saved before and restored after. */
export function apart(pen: Pen, draw: () => void): void {
  pen.save()
  draw()
  pen.restore()
}

/** A soft shadow under the output of `draw`. */
export function shaded(pen: Pen, shadow: { colour: string; blur: number; y?: number }, draw: () => void): void {
  apart(pen, () => {
    pen.shadowColor = shadow.colour
    pen.shadowBlur = shadow.blur
    pen.shadowOffsetY = shadow.y ?? 0
    draw()
  })
}

/** Darkens towards the edges of the box. */
export function vignette(pen: Pen, box: Size, strength: number): void {
  const centre = [box.width / 2, box.height / 2] as const
  const reach = Math.hypot(...centre)
  fillBox(
    pen,
    { x: 0, y: 0, ...box },
    radial(pen, centre, [reach * 0.45, reach], { 0: 'rgba(0,0,0,0)', 1: `rgba(0,0,0,${strength})` }),
  )
}
