import { z } from 'zod'
import { colour, oneOf, whole, words } from '../params.ts'
import { fade, fill, inkOn, path, roundBox, shaded, useStroke, type Pen, type Point, type Size } from './canvas.ts'
import { scene, type Slot } from './scene.ts'
import { drawText, fitText, type TextStyle } from './text.ts'
import { sizeOfPair } from './pair.ts'

export const split = scene('split', 'Show two images with a dividing line', {
  inputs: 2,
  params: z.object({
    direction: oneOf(['diagonal', 'vertical', 'horizontal'], { default: 'diagonal', about: 'Direction of the line.' }),
    at: whole({ min: 10, max: 90, default: 50, about: 'Position of the line, in percent.' }),
    first: words({ max: 24, default: '', about: 'Label of the first image.' }),
    second: words({ max: 24, default: '', about: 'Label of the second image.' }),
    colour: colour({ default: '#ffffff', about: 'Colour of the line and the labels.' }),
  }),
  compose(sizes, { direction, at, first, second, colour: paint }) {
    const { width, height } = sizeOfPair(sizes)
    const part = at / 100
    const lean = direction === 'diagonal' ? 0.14 : 0
    const isFlat = direction === 'horizontal'
    const spot = (x: number, y: number): Point => [width * x, height * y]
    const ends: readonly [Point, Point] = isFlat
      ? [spot(0, part), spot(1, part)]
      : [spot(part + lean, 0), spot(part - lean, 1)]
    const before = isFlat ? [spot(1, 0), spot(0, 0)] : [spot(0, 1), spot(0, 0)]
    const behind = isFlat ? [spot(1, 1), spot(0, 1)] : [spot(1, 1), spot(1, 0)]
    const area = { x: 0, y: 0, width, height }
    const slots: readonly Slot[] = [
      { ...half(direction, area, part + lean, false), picture: 0, clip: (pen) => path(pen, ...ends, ...before) },
      { ...half(direction, area, part - lean, true), picture: 1, clip: (pen) => path(pen, ...ends, ...behind) },
    ]
    return {
      width,
      height,
      slots,
      over(pen) {
        line(pen, ends, height, paint)
        label(pen, first, { width, height, paint })
        label(pen, second, { width, height, paint, isSecond: true })
      },
    }
  },
})

/** The part of the area that a picture fills, wide enough for a leaning line. */
function half(direction: string, { width, height }: Size, part: number, isSecond: boolean) {
  const share = Math.min(1, Math.max(0, part))
  if (direction === 'horizontal') {
    return isSecond
      ? { x: 0, y: height * share, width, height: height * (1 - share) }
      : { x: 0, y: 0, width, height: height * share }
  }
  return isSecond
    ? { x: width * share, y: 0, width: width * (1 - share), height }
    : { x: 0, y: 0, width: width * share, height }
}

function label(
  pen: Pen,
  text: string,
  { width, height, paint, isSecond }: Size & { paint: string; isSecond?: true },
): void {
  if (!text.trim()) return
  const high = Math.min(width, height) * 0.1
  const style: TextStyle = { face: 'bold', sizePx: high * 0.55, colour: inkOn(paint), maxLines: 1 }
  const fitted = fitText(pen, text, { width: width * 0.38, height: high }, style)
  const wide = fitted.widthPx + high * 0.7
  const gap = high * 0.35
  const box = {
    x: isSecond ? width - wide - gap : gap,
    y: isSecond ? height - high - gap : gap,
    width: wide,
    height: high,
  }
  roundBox(pen, box, high * 0.3)
  fill(pen, fade(paint, 0.92))
  drawText(pen, text, box, { ...style, sizePx: fitted.sizePx })
}

function line(pen: Pen, ends: readonly [Point, Point], height: number, paint: string): void {
  shaded(pen, { colour: 'rgba(0,0,0,.6)', blur: height * 0.03 }, () => {
    useStroke(pen, paint, Math.max(2, height * 0.012))
    path(pen, ...ends)
    pen.stroke()
  })
}
