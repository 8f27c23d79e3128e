import { z } from 'zod'
import { colour, seed, whole, words } from '../params.ts'
import {
  createDice,
  fade,
  fillBox,
  linear,
  mix,
  path,
  shaded,
  useStroke,
  vignette,
  type Dice,
  type Pen,
  type Point,
  type Size,
} from './canvas.ts'
import { full, roomFor, scene, unitOf } from './scene.ts'
import { drawText, isRightToLeft } from './text.ts'

export const crack = scene('crack', 'Put behind shattered glass', {
  params: z.object({
    x: whole({ min: 0, max: 100, default: 62, about: 'Point of impact, in percent from the left.' }),
    y: whole({ min: 0, max: 100, default: 38, about: 'Point of impact, in percent from the top.' }),
    strength: whole({ min: 1, max: 100, default: 50, about: 'Strength of the impact.' }),
    seed: seed('Seed of the cracks.'),
  }),
  compose([size], { x, y, strength, seed }) {
    const picture = roomFor(size!)
    const hit = [(picture.width * x) / 100, (picture.height * y) / 100] as const
    return {
      ...picture,
      slots: [full(picture)],
      over: (pen) => shatter(pen, picture, { hit, strength }, createDice(seed)),
    }
  },
})

function shatter(pen: Pen, size: Size, { hit, strength }: { hit: Point; strength: number }, dice: Dice): void {
  const u = unitOf(size)
  const rays = Math.round(11 + strength * 0.13)
  const reach = Math.hypot(size.width, size.height)
  const rings = [0, u * 3]
  while (rings.at(-1)! < reach) rings.push(rings.at(-1)! * dice.between(1.5, 1.95))
  const angles = Array.from({ length: rays }, (_, i) => ((i + dice.between(-0.36, 0.36)) / rays) * Math.PI * 2)
  // Every crack is a chain of points, one per ring, that wanders a little on its way out.
  const chains = angles.map((angle) =>
    rings.map((radius, ring): Point => {
      const bend = angle + (ring > 1 ? dice.between(-0.07, 0.07) : 0)
      const far = radius * dice.between(0.86, 1.14)
      return [hit[0] + Math.cos(bend) * far, hit[1] + Math.sin(bend) * far]
    }),
  )
  for (let i = 0; i < rays; i++) facets(pen, [chains[i]!, chains[(i + 1) % rays]!], strength, dice)
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  const whole = Math.round(rings.length * (0.45 + strength / 180))
  for (const [i, chain] of chains.entries()) {
    fissure(pen, chain.slice(0, dice.next() < 0.6 ? chain.length : whole), u)
    const next = chains[(i + 1) % rays]!
    for (let ring = 1; ring < rings.length; ring++) {
      if (dice.next() < (0.25 + strength / 120) / (1 + ring * 0.16))
        fissure(pen, [chain[ring]!, sag(chain[ring]!, next[ring]!, hit), next[ring]!], u * 0.7)
    }
  }
  bullet(pen, hit, u, dice)
}

/** The middle between two points, pulled towards the hit as cracks between rays are. */
function sag([ax, ay]: Point, [bx, by]: Point, [hx, hy]: Point): Point {
  return [((ax + bx) / 2) * 0.96 + hx * 0.04, ((ay + by) / 2) * 0.96 + hy * 0.04]
}

function facets(
  pen: Pen,
  [one, other]: readonly [readonly Point[], readonly Point[]],
  strength: number,
  dice: Dice,
): void {
  for (let ring = 0; ring + 1 < one.length; ring++) {
    const tilt = dice.between(-1, 1)
    if (Math.abs(tilt) < 0.25) continue
    const [from, to] = [one[ring]!, other[ring + 1]!]
    const tone = tilt > 0 ? '255,255,255' : '8,14,22'
    const alpha = Math.abs(tilt) * (0.08 + strength / 420)
    pen.fillStyle = linear(pen, from, to, { 0: `rgba(${tone},${alpha})`, 1: `rgba(${tone},${alpha * 0.1})` })
    path(pen, from, one[ring + 1]!, to, other[ring]!)
    pen.fill()
  }
}

function fissure(pen: Pen, points: readonly Point[], u: number): void {
  for (const [shift, width, paint] of [
    [0.22, 0.5, 'rgba(6,10,16,.5)'],
    [0, 0.26, 'rgba(255,255,255,.85)'],
    [-0.14, 0.12, 'rgba(190,225,255,.7)'],
  ] as const) {
    useStroke(pen, paint, Math.max(0.5, u * width))
    pen.beginPath()
    for (const [x, y] of points) pen.lineTo(x + shift * u, y + shift * u)
    pen.stroke()
  }
}

function bullet(pen: Pen, [x, y]: Point, u: number, dice: Dice): void {
  for (let i = 0; i < 90; i++) {
    const [angle, far] = [dice.next() * Math.PI * 2, u * dice.next() ** 0.8 * 4.4]
    const long = u * dice.between(0.3, 1.3)
    pen.fillStyle = dice.next() < 0.7 ? `rgba(255,255,255,${dice.between(0.3, 0.85)})` : 'rgba(10,16,24,.45)'
    const at = (turn: number, reach: number): Point => [x + Math.cos(turn) * reach, y + Math.sin(turn) * reach]
    path(pen, at(angle, far), at(angle + 0.35, far + long), at(angle - 0.25, far + long))
    pen.fill()
  }
}

export const scanlines = scene('scanlines', 'Show on an old television', {
  params: z.object({
    spacing: whole({ min: 2, max: 16, default: 4, about: 'Distance of the lines in pixels.' }),
    strength: whole({ min: 0, max: 100, default: 45, about: 'Darkness of the lines.' }),
    tint: colour({ default: '#35ffb0', about: 'Colour of the glow.' }),
    text: words({ max: 16, default: 'PLAY', about: 'Text in the corner. Can be empty.' }),
  }),
  compose([size], { spacing, strength, tint, text }) {
    const picture = roomFor(size!)
    const { width, height } = picture
    const u = unitOf(picture)
    return {
      ...picture,
      slots: [{ ...full(picture), filter: 'contrast(1.12) saturate(1.15) brightness(1.08)' }],
      over(pen) {
        fillBox(pen, full(picture), fade(tint, 0.07))
        const alpha = strength / 100
        for (let y = 0; y < height; y += spacing) {
          fillBox(pen, { x: 0, y, width, height: spacing / 2 }, `rgba(0,0,0,${alpha * 0.75})`)
        }
        fillBox(
          pen,
          full(picture),
          linear(pen, [0, 0], [0, height], {
            0.52: fade(tint, 0),
            0.6: fade(mix(tint, '#ffffff', 0.5), 0.16),
            0.605: 'rgba(0,0,0,.14)',
            0.7: 'rgba(0,0,0,0)',
          }),
        )
        vignette(pen, picture, 0.62)
        tube(pen, picture, u)
        osd(pen, picture, u, text)
      },
    }
  },
})

/** The black mask around a screen with bulging edges, and the window that it reflects. */
function tube(pen: Pen, size: Size, u: number): void {
  const { width, height } = size
  const bulge = u * 2.4
  pen.beginPath()
  pen.rect(-2, -2, width + 4, height + 4)
  pen.moveTo(bulge, bulge)
  pen.quadraticCurveTo(width / 2, -bulge * 0.2, width - bulge, bulge)
  pen.quadraticCurveTo(width + bulge * 0.2, height / 2, width - bulge, height - bulge)
  pen.quadraticCurveTo(width / 2, height + bulge * 0.2, bulge, height - bulge)
  pen.quadraticCurveTo(-bulge * 0.2, height / 2, bulge, bulge)
  pen.fillStyle = '#050506'
  pen.fill('evenodd')
  pen.fillStyle = linear(pen, [0, 0], [width * 0.5, height * 0.6], {
    0: 'rgba(255,255,255,.15)',
    0.7: 'rgba(255,255,255,0)',
  })
  path(pen, [u * 5, u * 5], [width * 0.55, u * 4])
  pen.quadraticCurveTo(width * 0.2, height * 0.25, u * 4.5, height * 0.6)
  pen.fill()
}

function osd(pen: Pen, { width, height }: Size, u: number, text: string): void {
  if (!text.trim()) return
  const box = { x: u * 8, y: u * 7, width: width * 0.6, height: u * 9 }
  shaded(pen, { colour: 'rgba(255,255,255,.6)', blur: u }, () => {
    const { widthPx } = drawText(pen, text, box, {
      face: 'mono',
      sizePx: u * 7,
      colour: '#f4fff9',
      // On the left in any script, since the arrow follows.
      align: isRightToLeft(text) ? 'end' : 'start',
      maxLines: 1,
      spacingEm: 0.06,
    })
    pen.fillStyle = '#f4fff9'
    const x = Math.min(box.x + widthPx + u * 2.5, width - u * 12)
    path(pen, [x, box.y + u * 2], [x + u * 4.6, box.y + u * 4.6], [x, box.y + u * 7.2])
    pen.fill()
    drawText(
      pen,
      '00:00:00',
      { ...box, y: height - u * 15 },
      { face: 'mono', sizePx: u * 6, colour: '#f4fff9', align: 'start', maxLines: 1 },
    )
  })
}
