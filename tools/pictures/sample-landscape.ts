// A picture for the contact sheets: drawn here, so that no third-party work is needed to show the filters.
import type { SKRSContext2D } from '@napi-rs/canvas'
import { circle, createDice, fillBox, linear, radial, type Dice } from '../../packages/images/overlays/canvas.ts'

type Pen = SKRSContext2D

interface View {
  readonly edge: number
  /** The shoreline. */
  readonly shore: number
  readonly sun: readonly [x: number, y: number]
  readonly dice: Dice
}

/** A lake between mountains as the sun goes down. */
export function drawLandscape(pen: Pen, edge: number): void {
  const dice = createDice(42)
  const view: View = { edge, shore: edge * 0.66, sun: [edge * 0.64, edge * 0.5], dice }
  drawSky(pen, view)
  drawMountains(pen, view)
  drawLake(pen, view)
  for (let i = 0; i < 9; i++)
    pine(
      pen,
      edge * (i < 5 ? 0.02 + i * 0.045 : 0.8 + (i - 5) * 0.055),
      edge * dice.between(0.84, 0.93),
      edge * dice.between(0.16, 0.3),
    )
  fillBox(pen, { x: 0, y: edge * 0.93, width: edge, height: edge * 0.07 }, '#0b0d22')
}

function drawSky(pen: Pen, { edge, shore, sun, dice }: View): void {
  fillBox(
    pen,
    { x: 0, y: 0, width: edge, height: shore },
    linear(pen, [0, 0], [0, shore], { 0: '#1f2a63', 0.4: '#7d4b94', 0.7: '#f07f6a', 1: '#ffd28a' }),
  )
  fillBox(
    pen,
    { x: 0, y: 0, width: edge, height: shore },
    radial(pen, sun, [0, edge * 0.4], {
      0: 'rgba(255,244,200,.95)',
      0.16: 'rgba(255,226,150,.6)',
      1: 'rgba(255,200,120,0)',
    }),
  )
  circle(pen, sun[0], sun[1], edge * 0.062)
  pen.fillStyle = '#fff6d8'
  pen.fill()
  for (let i = 0; i < 40; i++) {
    circle(pen, dice.next() * edge, dice.next() ** 2 * edge * 0.3, edge * dice.between(0.0008, 0.0024))
    pen.fillStyle = `rgba(255,255,255,${dice.between(0.3, 0.9)})`
    pen.fill()
  }
}

function drawMountains(pen: Pen, { edge, shore, dice }: View): void {
  for (const [high, rough, from, to] of [
    [0.3, 0.13, '#6a4a86', '#b0688a'],
    [0.2, 0.1, '#3c2f66', '#7a4777'],
    [0.1, 0.06, '#1d1b40', '#3a2b55'],
  ] as const) {
    pen.beginPath()
    pen.moveTo(0, shore)
    const phase = dice.next() * 9
    for (let i = 0; i <= 64; i++) {
      const x = i / 64
      const ridge = Math.abs(Math.sin(phase + x * 7)) * rough + Math.abs(Math.sin(phase * 2 + x * 17)) * rough * 0.4
      pen.lineTo(x * edge, shore - (high * 0.55 + ridge) * edge + dice.between(-0.004, 0.004) * edge)
    }
    pen.lineTo(edge, shore)
    pen.fillStyle = linear(pen, [0, shore - edge * high], [0, shore], { 0: from, 1: to })
    pen.fill()
  }
}

function drawLake(pen: Pen, { edge, shore, sun, dice }: View): void {
  fillBox(
    pen,
    { x: 0, y: shore, width: edge, height: edge - shore },
    linear(pen, [0, shore], [0, edge], { 0: '#e08a7a', 0.35: '#7a4f86', 1: '#171a42' }),
  )
  for (let i = 0; i < 130; i++) {
    const depth = dice.next()
    const wide = edge * (0.02 + 0.1 * depth) * dice.between(0.4, 1)
    const x = sun[0] + dice.between(-0.5, 0.5) * edge * (0.12 + 0.5 * depth) - wide / 2
    fillBox(
      pen,
      { x, y: shore + depth * (edge - shore), width: wide, height: edge * 0.0035 },
      `rgba(255,226,170,${0.5 * (1 - depth)})`,
    )
  }
}

function pine(pen: Pen, x: number, ground: number, high: number): void {
  pen.fillStyle = '#0b0d22'
  pen.fillRect(x - high * 0.025, ground - high * 0.2, high * 0.05, high * 0.6)
  for (let i = 0; i < 5; i++) {
    const [top, wide] = [ground - high + i * high * 0.16, high * (0.1 + i * 0.055)]
    pen.beginPath()
    pen.moveTo(x, top)
    pen.lineTo(x + wide, top + high * 0.3)
    pen.quadraticCurveTo(x, top + high * 0.22, x - wide, top + high * 0.3)
    pen.fill()
  }
}
