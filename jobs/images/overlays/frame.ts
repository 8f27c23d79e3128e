import { z } from 'zod'
import { colour, oneOf, whole } from '../params.ts'
import { apart, circle, createDice, fade, fillBox, inset, linear, mix, roundBox, type Box, type Pen } from './canvas.ts'
import { full, roomFor, scene, type Scene } from './scene.ts'

const STYLES = ['wood', 'gold', 'gallery', 'neon', 'thin', 'corners'] as const

export const frame = scene({
  name: 'frame',
  summary: 'Hangs the picture in a frame of wood, gold or light',
  params: z.object({
    style: oneOf(STYLES, { default: 'wood', about: 'What the frame is made of.' }),
    width: whole({ min: 2, max: 25, default: 9, about: 'How wide the frame is, in percent of the picture’s edge.' }),
    colour: colour({ default: '#ff3d8b', about: 'The colour of neon and thin frames and of the wall behind corners.' }),
  }),
  compose([size], { style, width: percent, colour: paint }) {
    const picture = roomFor(size!)
    const border = Math.max(4, Math.round((Math.min(picture.width, picture.height) * percent) / 100))
    if (style === 'thin')
      return { ...picture, slots: [full(picture)], over: (pen) => thin(pen, picture, border, paint) }
    const outer = { width: picture.width + 2 * border, height: picture.height + 2 * border }
    const hole = { ...picture, x: border, y: border }
    return { ...outer, slots: [hole], ...PAINTERS[style](full(outer), hole, paint) }
  },
})

type Painted = Pick<Scene, 'under' | 'over'>

const PAINTERS: Record<Exclude<(typeof STYLES)[number], 'thin'>, (outer: Box, hole: Box, paint: string) => Painted> = {
  wood: (outer, hole) => ({
    over(pen) {
      sides(pen, outer, hole, plank)
      lip(pen, hole, '#2a1408', 'rgba(255,214,160,.35)')
    },
  }),
  gold: (outer, hole) => ({
    over(pen) {
      sides(pen, outer, hole, gilt)
      beads(pen, hole)
      lip(pen, hole, '#4a3206', 'rgba(255,244,200,.7)')
    },
  }),
  gallery: (outer, hole) => ({
    over(pen) {
      const wood = hole.x * 0.3
      ring(pen, outer, hole, '#f4f1ea')
      ring(pen, outer, inset(outer, wood), linear(pen, [0, 0], [outer.width, outer.height], BLACK_WOOD))
      innerShadow(pen, inset(outer, wood), wood * 0.5, 0.35)
      pen.lineWidth = Math.max(1, wood * 0.12)
      pen.strokeStyle = '#cfc8b8'
      pen.strokeRect(hole.x - wood * 0.1, hole.y - wood * 0.1, hole.width + wood * 0.2, hole.height + wood * 0.2)
      innerShadow(pen, hole, wood * 0.25, 0.3)
    },
  }),
  neon: (outer, hole, paint) => ({
    under: (pen) =>
      fillBox(
        pen,
        outer,
        linear(
          pen,
          [0, 0],
          [0, outer.height],
          [
            [0, '#15131f'],
            [1, '#0a0910'],
          ],
        ),
      ),
    over: (pen) => neon(pen, outer, hole, paint),
  }),
  corners: (outer, hole, paint) => ({
    under(pen) {
      fillBox(pen, outer, paint)
      fillBox(
        pen,
        outer,
        linear(
          pen,
          [0, 0],
          [0, outer.height],
          [
            [0, 'rgba(255,255,255,.16)'],
            [1, 'rgba(0,0,0,.2)'],
          ],
        ),
      )
      apart(pen, () => {
        pen.shadowColor = 'rgba(0,0,0,.45)'
        pen.shadowBlur = hole.x * 0.4
        pen.shadowOffsetY = hole.x * 0.12
        fillBox(pen, hole, '#fff')
      })
    },
    over: (pen) => corners(pen, hole),
  }),
}

const BLACK_WOOD = [
  [0, '#3a3836'],
  [0.5, '#161514'],
  [1, '#2b2927'],
] as const

/** Everything between two boxes. */
function ring(pen: Pen, outer: Box, hole: Box, paint: Pen['fillStyle']): void {
  pen.beginPath()
  pen.rect(outer.x, outer.y, outer.width, outer.height)
  pen.rect(hole.x, hole.y, hole.width, hole.height)
  pen.fillStyle = paint
  pen.fill('evenodd')
}

/** Cuts the border into its four mitred sides; `draw` paints one as lying on top, `length` long and `depth` deep. */
function sides(pen: Pen, outer: Box, hole: Box, draw: (pen: Pen, length: number, depth: number, side: number) => void) {
  const depth = hole.x - outer.x
  for (let side = 0; side < 4; side++) {
    const length = side % 2 === 0 ? outer.width : outer.height
    apart(pen, () => {
      pen.translate(outer.width / 2, outer.height / 2)
      pen.rotate((side * Math.PI) / 2)
      pen.translate(-length / 2, -(side % 2 === 0 ? outer.height : outer.width) / 2)
      pen.beginPath()
      pen.moveTo(0, 0)
      pen.lineTo(length, 0)
      pen.lineTo(length - depth, depth)
      pen.lineTo(depth, depth)
      pen.clip()
      draw(pen, length, depth, side)
      pen.strokeStyle = 'rgba(0,0,0,.35)'
      pen.lineWidth = Math.max(1, depth * 0.03)
      pen.beginPath()
      pen.moveTo(0, 0)
      pen.lineTo(depth, depth)
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

function plank(pen: Pen, length: number, depth: number, side: number): void {
  const dice = createDice(side + 11)
  fillBox(pen, { x: 0, y: 0, width: length, height: depth }, linear(pen, [0, 0], [0, depth], WOOD))
  for (let i = 0; i < 46; i++) {
    const y = dice.between(-0.1, 1.1) * depth
    const bow = dice.between(-0.06, 0.06) * depth
    pen.strokeStyle = fade(dice.pick(['#2b1206', '#3d1d0b', '#8a5228', '#1d0b03']), dice.between(0.12, 0.4))
    pen.lineWidth = Math.max(0.5, depth * dice.between(0.005, 0.03))
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

const WOOD = [
  [0, '#5b3015'],
  [0.35, '#8a4f25'],
  [0.6, '#7a431d'],
  [1, '#4a240e'],
] as const

const BEVEL = [
  [0, 'rgba(0,0,0,.45)'],
  [0.08, 'rgba(255,220,170,.22)'],
  [0.2, 'rgba(255,220,170,.06)'],
  [0.72, 'rgba(0,0,0,.05)'],
  [0.8, 'rgba(0,0,0,.4)'],
  [0.85, 'rgba(255,220,170,.2)'],
  [1, 'rgba(0,0,0,.35)'],
] as const

const GILT = [
  [0, '#6d4a0c'],
  [0.06, '#f7e2a0'],
  [0.16, '#b98a2b'],
  [0.3, '#7a5412'],
  [0.5, '#d9b04c'],
  [0.58, '#fff3c4'],
  [0.68, '#c2933a'],
  [0.78, '#6a470e'],
  [0.9, '#caa04a'],
  [1, '#8a6420'],
] as const

function gilt(pen: Pen, length: number, depth: number, side: number): void {
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

function beads(pen: Pen, hole: Box): void {
  const radius = Math.max(1, hole.x * 0.055)
  const row = inset(hole, -radius * 2.2)
  const along = (length: number, at: (part: number) => readonly [number, number]) => {
    const count = Math.max(2, Math.round(length / (radius * 2.6)))
    for (let i = 0; i < count; i++) {
      const [x, y] = at(i / count)
      circle(pen, x, y, radius)
      pen.fillStyle = '#6a470e'
      pen.fill()
      circle(pen, x - radius * 0.15, y - radius * 0.2, radius * 0.75)
      pen.fillStyle = '#e9c76c'
      pen.fill()
      circle(pen, x - radius * 0.25, y - radius * 0.35, radius * 0.3)
      pen.fillStyle = '#fffbe6'
      pen.fill()
    }
  }
  along(row.width, (part) => [row.x + row.width * part, row.y])
  along(row.height, (part) => [row.x + row.width, row.y + row.height * part])
  along(row.width, (part) => [row.x + row.width * (1 - part), row.y + row.height])
  along(row.height, (part) => [row.x, row.y + row.height * (1 - part)])
}

function lip(pen: Pen, hole: Box, dark: string, light: string): void {
  const line = Math.max(1, hole.x * 0.04)
  innerShadow(pen, hole, hole.x * 0.35, 0.5)
  pen.lineWidth = line
  pen.strokeStyle = dark
  pen.strokeRect(hole.x, hole.y, hole.width, hole.height)
  pen.strokeStyle = light
  pen.lineWidth = line * 0.6
  pen.strokeRect(hole.x - line, hole.y - line, hole.width + 2 * line, hole.height + 2 * line)
}

/** The shadow that a border throws inwards, strongest from above. */
function innerShadow(pen: Pen, hole: Box, blur: number, strength: number): void {
  apart(pen, () => {
    pen.beginPath()
    pen.rect(hole.x, hole.y, hole.width, hole.height)
    pen.clip()
    pen.shadowColor = `rgba(0,0,0,${strength})`
    pen.shadowBlur = blur
    pen.shadowOffsetY = blur * 0.25
    ring(pen, inset(hole, -blur * 4), inset(hole, -1), '#000')
  })
}

function neon(pen: Pen, outer: Box, hole: Box, paint: string): void {
  const tube = Math.max(1.5, hole.x * 0.13)
  const path = inset(outer, hole.x * 0.5)
  pen.lineJoin = 'round'
  for (const [blur, width, colourOf] of [
    [hole.x * 2.4, tube, fade(paint, 0.8)],
    [hole.x * 1.1, tube * 1.5, paint],
    [hole.x * 0.4, tube, mix(paint, '#ffffff', 0.35)],
  ] as const) {
    apart(pen, () => {
      pen.shadowColor = paint
      pen.shadowBlur = blur
      pen.strokeStyle = colourOf
      pen.lineWidth = width
      roundBox(pen, path, hole.x * 0.6)
      pen.stroke()
    })
  }
  pen.strokeStyle = mix(paint, '#ffffff', 0.86)
  pen.lineWidth = tube * 0.5
  roundBox(pen, path, hole.x * 0.6)
  pen.stroke()
}

function thin(pen: Pen, size: { width: number; height: number }, border: number, paint: string): void {
  const line = Math.max(1, border * 0.16)
  const rim = inset(full(size), border * 0.75)
  apart(pen, () => {
    pen.shadowColor = 'rgba(0,0,0,.5)'
    pen.shadowBlur = line * 2
    pen.strokeStyle = paint
    pen.lineWidth = line
    pen.strokeRect(rim.x, rim.y, rim.width, rim.height)
    pen.lineWidth = line * 0.35
    const inner = inset(rim, line * 1.6)
    pen.strokeRect(inner.x, inner.y, inner.width, inner.height)
  })
}

function corners(pen: Pen, hole: Box): void {
  const reach = Math.min(hole.x * 1.9, hole.width * 0.3, hole.height * 0.3)
  const out = hole.x * 0.22
  for (let i = 0; i < 4; i++) {
    const [right, low] = [i % 2 === 1, i > 1]
    apart(pen, () => {
      pen.translate(right ? hole.x + hole.width + out : hole.x - out, low ? hole.y + hole.height + out : hole.y - out)
      pen.scale(right ? -1 : 1, low ? -1 : 1)
      pen.shadowColor = 'rgba(0,0,0,.5)'
      pen.shadowBlur = hole.x * 0.2
      pen.beginPath()
      pen.moveTo(0, 0)
      pen.lineTo(reach, 0)
      pen.lineTo(0, reach)
      pen.closePath()
      pen.fillStyle = linear(
        pen,
        [0, 0],
        [reach / 2, reach / 2],
        [
          [0, '#2c2a2b'],
          [1, '#131213'],
        ],
      )
      pen.fill()
    })
  }
}
