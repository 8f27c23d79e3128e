import { z } from 'zod'
import { colour, oneOf, whole, words } from '../params.ts'
import { apart, fade, fillBox, inkOn, linear, mix, roundBox, type Pen, type Size } from './canvas.ts'
import { edgeOf, scene, type Slot } from './scene.ts'
import { drawText, fitText, type TextStyle } from './text.ts'

type Point = readonly [x: number, y: number]

export const split = scene({
  name: 'split',
  summary: 'Shows two pictures side by side, parted by a line',
  inputs: 2,
  params: z.object({
    direction: oneOf(['diagonal', 'vertical', 'horizontal'], { default: 'diagonal', about: 'How the line runs.' }),
    at: whole({ min: 10, max: 90, default: 50, about: 'Where the line is, in percent.' }),
    first: words({ max: 24, default: '', about: 'A label for the first picture.' }),
    second: words({ max: 24, default: '', about: 'A label for the second picture.' }),
    colour: colour({ default: '#ffffff', about: 'The colour of the line and the labels.' }),
  }),
  compose(sizes, { direction, at, first, second, colour: paint }) {
    const { width, height } = sizeOfPair(sizes)
    const part = at / 100
    const lean = direction === 'diagonal' ? 0.14 : 0
    const ends: readonly [Point, Point] =
      direction === 'horizontal'
        ? [
            [0, height * part],
            [width, height * part],
          ]
        : [
            [width * (part + lean), 0],
            [width * (part - lean), height],
          ]
    const far: readonly [Point, Point] =
      direction === 'horizontal'
        ? [
            [width, 0],
            [0, 0],
          ]
        : [
            [0, height],
            [0, 0],
          ]
    const area = { x: 0, y: 0, width, height }
    const slots: readonly Slot[] = [
      { ...half(direction, area, part + lean, false), picture: 0, clip: (pen) => polygon(pen, [...ends, ...far]) },
      {
        ...half(direction, area, part - lean, true),
        picture: 1,
        clip: (pen) =>
          polygon(pen, [
            ...ends,
            ...(direction === 'horizontal'
              ? ([
                  [width, height],
                  [0, height],
                ] as const)
              : ([
                  [width, height],
                  [width, 0],
                ] as const)),
          ]),
      },
    ]
    return {
      width,
      height,
      slots,
      over(pen) {
        apart(pen, () => {
          pen.shadowColor = 'rgba(0,0,0,.6)'
          pen.shadowBlur = height * 0.03
          pen.strokeStyle = paint
          pen.lineWidth = Math.max(2, height * 0.012)
          pen.beginPath()
          for (const [x, y] of ends) pen.lineTo(x, y)
          pen.stroke()
        })
        label(pen, first, { width, height }, paint, false)
        label(pen, second, { width, height }, paint, true)
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

function label(pen: Pen, text: string, { width, height }: Size, paint: string, isSecond: boolean): void {
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
  pen.fillStyle = fade(paint, 0.92)
  pen.fill()
  drawText(pen, text, box, { ...style, sizePx: fitted.sizePx })
}

function polygon(pen: Pen, points: readonly Point[]): void {
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
  }
  pen.closePath()
}

function sizeOfPair(sizes: readonly Size[]): Size {
  const height = edgeOf(sizes[0]!, [320, 640])
  return { width: Math.round(height * 1.6), height }
}

export const versus = scene({
  name: 'versus',
  summary: 'Sets two pictures against each other',
  inputs: 2,
  params: z.object({
    first: words({ max: 24, default: 'Player 1', about: 'The name under the first picture.' }),
    second: words({ max: 24, default: 'Player 2', about: 'The name under the second picture.' }),
    left: colour({ default: '#e5243f', about: 'The colour of the first side.' }),
    right: colour({ default: '#1f6bff', about: 'The colour of the second side.' }),
  }),
  compose(sizes, { first, second, left, right }) {
    const { width, height } = sizeOfPair(sizes)
    const u = height / 100
    const card = { width: u * 56, height: u * 56, y: u * 15 }
    const places = [
      { ...card, x: u * 10 },
      { ...card, x: width - u * 66 },
    ] as const
    const slots = places.map((box, picture): Slot => ({
      ...box,
      picture,
      clip: (pen) => slanted(pen, box, u),
    }))
    return {
      width,
      height,
      slots,
      under(pen) {
        ground(pen, { width, height }, left, right)
        for (const [i, box] of places.entries()) {
          apart(pen, () => {
            pen.shadowColor = 'rgba(0,0,0,.55)'
            pen.shadowBlur = u * 5
            pen.shadowOffsetY = u * 1.5
            pen.fillStyle = mix(i === 0 ? left : right, '#ffffff', 0.92)
            pen.beginPath()
            slanted(
              pen,
              { x: box.x - u * 1.6, y: box.y - u * 1.6, width: box.width + u * 3.2, height: box.height + u * 3.2 },
              u,
            )
            pen.fill()
          })
        }
      },
      over(pen) {
        for (const [i, text] of [first, second].entries()) {
          const box = { x: places[i]!.x - u * 4, y: u * 76, width: u * 64, height: u * 16 }
          drawText(pen, text.toUpperCase(), box, {
            face: 'poster',
            sizePx: u * 12,
            colour: '#ffffff',
            outline: 'rgba(0,0,0,.8)',
            outlineEm: 0.12,
            maxLines: 1,
            spacingEm: 0.02,
          })
        }
        bolt(pen, { width, height }, u)
      },
    }
  },
})

function slanted(pen: Pen, { x, y, width, height }: Size & { x: number; y: number }, u: number): void {
  const lean = u * 5
  polygon(pen, [
    [x + lean, y],
    [x + width, y],
    [x + width - lean, y + height],
    [x, y + height],
  ])
}

function ground(pen: Pen, { width, height }: Size, left: string, right: string): void {
  fillBox(
    pen,
    { x: 0, y: 0, width, height },
    linear(
      pen,
      [0, 0],
      [width / 2, height],
      [
        [0, mix(left, '#ffffff', 0.12)],
        [1, mix(left, '#000000', 0.55)],
      ],
    ),
  )
  apart(pen, () => {
    pen.beginPath()
    polygon(pen, [
      [width * 0.57, 0],
      [width, 0],
      [width, height],
      [width * 0.43, height],
    ])
    pen.clip()
    fillBox(
      pen,
      { x: 0, y: 0, width, height },
      linear(
        pen,
        [width, 0],
        [width / 2, height],
        [
          [0, mix(right, '#ffffff', 0.12)],
          [1, mix(right, '#000000', 0.55)],
        ],
      ),
    )
  })
  // Lines of speed, running away from the middle.
  for (let i = 0; i < 40; i++) {
    const angle = (i / 40) * Math.PI * 2
    pen.fillStyle = `rgba(255,255,255,${0.03 + 0.04 * (i % 3)})`
    pen.beginPath()
    pen.moveTo(width / 2 + Math.cos(angle) * height * 0.3, height / 2 + Math.sin(angle) * height * 0.3)
    for (const turn of [-0.02, 0.025])
      pen.lineTo(width / 2 + Math.cos(angle + turn) * width, height / 2 + Math.sin(angle + turn) * width)
    pen.fill()
  }
}

function bolt(pen: Pen, { width, height }: Size, u: number): void {
  const zigzag: readonly Point[] = [
    [57, 0],
    [52.6, 27],
    [54.8, 27],
    [46.4, 66],
    [48.6, 66],
    [43, 100],
  ]
  apart(pen, () => {
    pen.lineJoin = 'miter'
    for (const [blur, wide, paint] of [
      [u * 7, u * 2.6, '#ffc93c'],
      [0, u * 1.1, '#fffbe6'],
    ] as const) {
      pen.shadowColor = '#ffb200'
      pen.shadowBlur = blur
      pen.strokeStyle = paint
      pen.lineWidth = wide
      pen.beginPath()
      for (const [x, y] of zigzag) pen.lineTo((width * x) / 100, (height * y) / 100)
      pen.stroke()
    }
  })
  apart(pen, () => {
    pen.translate(width / 2, height * 0.46)
    pen.transform(1, 0, -0.16, 1, 0, 0)
    pen.shadowColor = 'rgba(0,0,0,.6)'
    pen.shadowBlur = u * 3
    const gold = linear(
      pen,
      [0, -u * 15],
      [0, u * 15],
      [
        [0, '#fffbe0'],
        [0.5, '#ffd23f'],
        [1, '#f08a00'],
      ],
    )
    drawText(
      pen,
      'VS',
      { x: -u * 30, y: -u * 18, width: u * 60, height: u * 36 },
      { face: 'poster', sizePx: u * 32, colour: gold, outline: '#1a0d02', outlineEm: 0.1, maxLines: 1, lineEm: 1.1 },
    )
  })
}
