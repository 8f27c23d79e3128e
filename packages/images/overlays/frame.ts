import { z } from 'zod'
import { colour, oneOf, whole } from '../params.ts'
import {
  apart,
  fade,
  fill,
  fillBox,
  inset,
  linear,
  mix,
  path,
  roundBox,
  shaded,
  useStroke,
  type Box,
  type Pen,
} from './canvas.ts'
import { full, roomFor, scene, type Scene } from './scene.ts'
import { beads, gilt, plank, sides } from './mouldings.ts'

const STYLES = ['wood', 'gold', 'gallery', 'neon', 'thin', 'corners'] as const

export const frame = scene('frame', 'Add a frame of wood, gold or light', {
  params: z.object({
    style: oneOf(STYLES, { default: 'wood', about: 'Material of the frame.' }),
    width: whole({ min: 2, max: 25, default: 9, about: 'Width of the frame, in percent of the edge.' }),
    colour: colour({ default: '#ff3d8b', about: 'Colour of neon and thin frames, and of the wall behind corners.' }),
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
      useStroke(pen, '#cfc8b8', Math.max(1, wood * 0.12))
      pen.strokeRect(hole.x - wood * 0.1, hole.y - wood * 0.1, hole.width + wood * 0.2, hole.height + wood * 0.2)
      innerShadow(pen, hole, wood * 0.25, 0.3)
    },
  }),
  neon: (outer, hole, paint) => ({
    under: (pen) => fillBox(pen, outer, linear(pen, [0, 0], [0, outer.height], { 0: '#15131f', 1: '#0a0910' })),
    over: (pen) => neon(pen, outer, hole, paint),
  }),
  corners: (outer, hole, paint) => ({
    under(pen) {
      fillBox(pen, outer, paint)
      fillBox(pen, outer, linear(pen, [0, 0], [0, outer.height], { 0: 'rgba(255,255,255,.16)', 1: 'rgba(0,0,0,.2)' }))
      shaded(pen, { colour: 'rgba(0,0,0,.45)', blur: hole.x * 0.4, y: hole.x * 0.12 }, () => {
        fillBox(pen, hole, '#fff')
      })
    },
    over: (pen) => corners(pen, hole),
  }),
}

const BLACK_WOOD = { 0: '#3a3836', 0.5: '#161514', 1: '#2b2927' }

/** Everything between two boxes. */
function ring(pen: Pen, outer: Box, hole: Box, paint: Pen['fillStyle']): void {
  pen.beginPath()
  pen.rect(outer.x, outer.y, outer.width, outer.height)
  pen.rect(hole.x, hole.y, hole.width, hole.height)
  pen.fillStyle = paint
  pen.fill('evenodd')
}

function lip(pen: Pen, hole: Box, dark: string, light: string): void {
  const line = Math.max(1, hole.x * 0.04)
  innerShadow(pen, hole, hole.x * 0.35, 0.5)
  useStroke(pen, dark, line)
  pen.strokeRect(hole.x, hole.y, hole.width, hole.height)
  useStroke(pen, light, line * 0.6)
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
    shaded(pen, { colour: paint, blur: blur }, () => {
      useStroke(pen, colourOf, width)
      roundBox(pen, path, hole.x * 0.6)
      pen.stroke()
    })
  }
  useStroke(pen, mix(paint, '#ffffff', 0.86), tube * 0.5)
  roundBox(pen, path, hole.x * 0.6)
  pen.stroke()
}

function thin(pen: Pen, size: { width: number; height: number }, border: number, paint: string): void {
  const line = Math.max(1, border * 0.16)
  const rim = inset(full(size), border * 0.75)
  shaded(pen, { colour: 'rgba(0,0,0,.5)', blur: line * 2 }, () => {
    useStroke(pen, paint, line)
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
      path(pen, [0, 0], [reach, 0], [0, reach])
      pen.closePath()
      fill(pen, linear(pen, [0, 0], [reach / 2, reach / 2], { 0: '#2c2a2b', 1: '#131213' }))
    })
  }
}
