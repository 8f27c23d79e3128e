import { z } from 'zod'
import { colour, words } from '../params.ts'
import {
  apart,
  fill,
  fillBox,
  inset,
  linear,
  mix,
  path,
  shaded,
  useStroke,
  type Pen,
  type Point,
  type Size,
} from './canvas.ts'
import { scene, type Slot } from './scene.ts'
import { drawText } from './text.ts'
import { sizeOfPair } from './pair.ts'

export const versus = scene('versus', 'Show two images as opponents', {
  inputs: 2,
  params: z.object({
    first: words({ max: 24, default: 'Player 1', about: 'Name under the first image.' }),
    second: words({ max: 24, default: 'Player 2', about: 'Name under the second image.' }),
    left: colour({ default: '#e5243f', about: 'Colour of the first side.' }),
    right: colour({ default: '#1f6bff', about: 'Colour of the second side.' }),
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
          shaded(pen, { colour: 'rgba(0,0,0,.55)', blur: u * 5, y: u * 1.5 }, () => {
            slanted(pen, inset(box, -u * 1.6), u)
            fill(pen, mix(i === 0 ? left : right, '#ffffff', 0.92))
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
  path(pen, [x + lean, y], [x + width, y], [x + width - lean, y + height], [x, y + height])
}

function ground(pen: Pen, { width, height }: Size, left: string, right: string): void {
  const box = { x: 0, y: 0, width, height }
  fillBox(
    pen,
    box,
    linear(pen, [0, 0], [width / 2, height], { 0: mix(left, '#ffffff', 0.12), 1: mix(left, '#000000', 0.55) }),
  )
  apart(pen, () => {
    path(pen, [width * 0.57, 0], [width, 0], [width, height], [width * 0.43, height])
    pen.clip()
    fillBox(
      pen,
      box,
      linear(pen, [width, 0], [width / 2, height], { 0: mix(right, '#ffffff', 0.12), 1: mix(right, '#000000', 0.55) }),
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
  const at = (x: number, y: number): Point => [(width * x) / 100, (height * y) / 100]
  apart(pen, () => {
    pen.lineJoin = 'miter'
    for (const [blur, wide, paint] of [
      [u * 7, u * 2.6, '#ffc93c'],
      [0, u * 1.1, '#fffbe6'],
    ] as const) {
      pen.shadowColor = '#ffb200'
      pen.shadowBlur = blur
      useStroke(pen, paint, wide)
      path(pen, at(57, 0), at(52.6, 27), at(54.8, 27), at(46.4, 66), at(48.6, 66), at(43, 100))
      pen.stroke()
    }
  })
  apart(pen, () => {
    pen.translate(width / 2, height * 0.46)
    pen.transform(1, 0, -0.16, 1, 0, 0)
    pen.shadowColor = 'rgba(0,0,0,.6)'
    pen.shadowBlur = u * 3
    const gold = linear(pen, [0, -u * 15], [0, u * 15], { 0: '#fffbe0', 0.5: '#ffd23f', 1: '#f08a00' })
    drawText(
      pen,
      'VS',
      { x: -u * 30, y: -u * 18, width: u * 60, height: u * 36 },
      { face: 'poster', sizePx: u * 32, colour: gold, outline: '#1a0d02', outlineEm: 0.1, maxLines: 1, lineEm: 1.1 },
    )
  })
}
