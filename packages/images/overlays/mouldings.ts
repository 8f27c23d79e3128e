import {
  apart,
  circle,
  createDice,
  fade,
  fill,
  fillBox,
  inset,
  linear,
  path,
  useStroke,
  type Box,
  type Pen,
} from './canvas.ts'

/** Cuts the border into its four mitred sides; `draw` paints one as lying on top, `length` long and `depth` deep. */
export function sides(
  pen: Pen,
  outer: Box,
  hole: Box,
  draw: (pen: Pen, length: number, depth: number, side: number) => void,
) {
  const depth = hole.x - outer.x
  for (let side = 0; side < 4; side++) {
    const length = side % 2 === 0 ? outer.width : outer.height
    apart(pen, () => {
      pen.translate(outer.width / 2, outer.height / 2)
      pen.rotate((side * Math.PI) / 2)
      pen.translate(-length / 2, -(side % 2 === 0 ? outer.height : outer.width) / 2)
      path(pen, [0, 0], [length, 0], [length - depth, depth], [depth, depth])
      pen.clip()
      draw(pen, length, depth, side)
      useStroke(pen, 'rgba(0,0,0,.35)', Math.max(1, depth * 0.03))
      path(pen, [0, 0], [depth, depth])
      pen.moveTo(length, 0)
      pen.lineTo(length - depth, depth)
      pen.stroke()
    })
  }
}

/** The light falls from above: the top side is lit, the lower one lies in the shade. */
const SHADE = [0.1, -0.12, -0.3, -0.06]

function shade(pen: Pen, length: number, depth: number, side: number): void {
  const light = SHADE[side]!
  fillBox(
    pen,
    { x: 0, y: 0, width: length, height: depth },
    light > 0 ? `rgba(255,240,210,${light})` : `rgba(20,8,0,${-light})`,
  )
}

export function plank(pen: Pen, length: number, depth: number, side: number): void {
  const dice = createDice(side + 11)
  fillBox(pen, { x: 0, y: 0, width: length, height: depth }, linear(pen, [0, 0], [0, depth], WOOD))
  for (let i = 0; i < 46; i++) {
    const y = dice.between(-0.1, 1.1) * depth
    const bow = dice.between(-0.06, 0.06) * depth
    useStroke(
      pen,
      fade(dice.pick(['#2b1206', '#3d1d0b', '#8a5228', '#1d0b03']), dice.between(0.12, 0.4)),
      Math.max(0.5, depth * dice.between(0.005, 0.03)),
    )
    pen.beginPath()
    pen.moveTo(-depth, y)
    for (let x = 0; x < length + depth; x += depth * 2) {
      pen.quadraticCurveTo(x, y + bow * dice.between(-2, 2), x + depth, y + bow * dice.between(-1, 1))
    }
    pen.stroke()
  }
  fillBox(pen, { x: 0, y: 0, width: length, height: depth }, linear(pen, [0, 0], [0, depth], BEVEL))
  shade(pen, length, depth, side)
}

const WOOD = { 0: '#5b3015', 0.35: '#8a4f25', 0.6: '#7a431d', 1: '#4a240e' }

const BEVEL = {
  0: 'rgba(0,0,0,.45)',
  0.08: 'rgba(255,220,170,.22)',
  0.2: 'rgba(255,220,170,.06)',
  0.72: 'rgba(0,0,0,.05)',
  0.8: 'rgba(0,0,0,.4)',
  0.85: 'rgba(255,220,170,.2)',
  1: 'rgba(0,0,0,.35)',
}

const GILT = {
  0: '#6d4a0c',
  0.06: '#f7e2a0',
  0.16: '#b98a2b',
  0.3: '#7a5412',
  0.5: '#d9b04c',
  0.58: '#fff3c4',
  0.68: '#c2933a',
  0.78: '#6a470e',
  0.9: '#caa04a',
  1: '#8a6420',
}

export function gilt(pen: Pen, length: number, depth: number, side: number): void {
  fillBox(pen, { x: 0, y: 0, width: length, height: depth }, linear(pen, [0, 0], [0, depth], GILT))
  const step = depth * 0.55
  const count = Math.max(1, Math.round((length - 2 * depth) / step))
  for (let i = 0; i <= count; i++) leaf(pen, depth + ((length - 2 * depth) * i) / count, depth * 0.3, depth * 0.13)
  shade(pen, length, depth, side)
}

function leaf(pen: Pen, x: number, y: number, reach: number): void {
  pen.fillStyle = 'rgba(74,48,6,.75)'
  for (const [dx, paint] of [
    [reach * 0.12, 'rgba(60,38,4,.7)'],
    [0, '#f3d988'],
  ] as const) {
    pen.fillStyle = paint
    pen.beginPath()
    pen.moveTo(x + dx, y - reach + dx)
    pen.quadraticCurveTo(x + reach + dx, y + dx, x + dx, y + reach + dx)
    pen.quadraticCurveTo(x - reach + dx, y + dx, x + dx, y - reach + dx)
    pen.fill()
  }
}

export function beads(pen: Pen, hole: Box): void {
  const radius = Math.max(1, hole.x * 0.055)
  const row = inset(hole, -radius * 2.2)
  const along = (length: number, at: (part: number) => readonly [number, number]) => {
    const count = Math.max(2, Math.round(length / (radius * 2.6)))
    for (let i = 0; i < count; i++) {
      const [x, y] = at(i / count)
      circle(pen, x, y, radius)
      fill(pen, '#6a470e')
      circle(pen, x - radius * 0.15, y - radius * 0.2, radius * 0.75)
      fill(pen, '#e9c76c')
      circle(pen, x - radius * 0.25, y - radius * 0.35, radius * 0.3)
      fill(pen, '#fffbe6')
    }
  }
  along(row.width, (part) => [row.x + row.width * part, row.y])
  along(row.height, (part) => [row.x + row.width, row.y + row.height * part])
  along(row.width, (part) => [row.x + row.width * (1 - part), row.y + row.height])
  along(row.height, (part) => [row.x, row.y + row.height * (1 - part)])
}
