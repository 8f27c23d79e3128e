// The pictures on the contact sheets: drawn here, so that nobody else's work is needed to show the filters.
import type { SKRSContext2D } from '@napi-rs/canvas'
import { circle, createDice, fillBox, linear, radial } from '../jobs/images/overlays/canvas.ts'

type Pen = SKRSContext2D

/** A lake between mountains as the sun goes down. */
export function drawLandscape(pen: Pen, edge: number): void {
  const dice = createDice(42)
  const shore = edge * 0.66
  fillBox(pen, { x: 0, y: 0, width: edge, height: shore }, linear(pen, [0, 0], [0, shore], [
    [0, '#1f2a63'],
    [0.4, '#7d4b94'],
    [0.7, '#f07f6a'],
    [1, '#ffd28a'],
  ]))
  const sun = [edge * 0.64, edge * 0.5] as const
  fillBox(pen, { x: 0, y: 0, width: edge, height: shore }, radial(pen, sun, [0, edge * 0.4], [
    [0, 'rgba(255,244,200,.95)'],
    [0.16, 'rgba(255,226,150,.6)'],
    [1, 'rgba(255,200,120,0)'],
  ]))
  circle(pen, sun[0], sun[1], edge * 0.062)
  pen.fillStyle = '#fff6d8'
  pen.fill()
  for (let i = 0; i < 40; i++) {
    circle(pen, dice.next() * edge, dice.next() ** 2 * edge * 0.3, edge * dice.between(0.0008, 0.0024))
    pen.fillStyle = `rgba(255,255,255,${dice.between(0.3, 0.9)})`
    pen.fill()
  }
  for (const [high, rough, from, to] of [[0.3, 0.13, '#6a4a86', '#b0688a'], [0.2, 0.1, '#3c2f66', '#7a4777'], [0.1, 0.06, '#1d1b40', '#3a2b55']] as const) {
    pen.beginPath()
    pen.moveTo(0, shore)
    const phase = dice.next() * 9
    for (let i = 0; i <= 64; i++) {
      const x = i / 64
      const ridge = Math.abs(Math.sin(phase + x * 7)) * rough + Math.abs(Math.sin(phase * 2 + x * 17)) * rough * 0.4
      pen.lineTo(x * edge, shore - (high * 0.55 + ridge) * edge + dice.between(-0.004, 0.004) * edge)
    }
    pen.lineTo(edge, shore)
    pen.fillStyle = linear(pen, [0, shore - edge * high], [0, shore], [[0, from], [1, to]])
    pen.fill()
  }
  fillBox(pen, { x: 0, y: shore, width: edge, height: edge - shore }, linear(pen, [0, shore], [0, edge], [
    [0, '#e08a7a'],
    [0.35, '#7a4f86'],
    [1, '#171a42'],
  ]))
  for (let i = 0; i < 130; i++) {
    const depth = dice.next()
    const wide = edge * (0.02 + 0.1 * depth) * dice.between(0.4, 1)
    const x = sun[0] + dice.between(-0.5, 0.5) * edge * (0.12 + 0.5 * depth) - wide / 2
    fillBox(pen, { x, y: shore + depth * (edge - shore), width: wide, height: edge * 0.0035 }, `rgba(255,226,170,${0.5 * (1 - depth)})`)
  }
  for (let i = 0; i < 9; i++) pine(pen, edge * (i < 5 ? 0.02 + i * 0.045 : 0.8 + (i - 5) * 0.055), edge * dice.between(0.84, 0.93), edge * dice.between(0.16, 0.3))
  fillBox(pen, { x: 0, y: edge * 0.93, width: edge, height: edge * 0.07 }, '#0b0d22')
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

/** A listener with headphones before a bright wall. */
export function drawPortrait(pen: Pen, edge: number): void {
  const u = edge / 100
  fillBox(pen, { x: 0, y: 0, width: edge, height: edge }, linear(pen, [0, 0], [edge, edge], [
    [0, '#18b6b0'],
    [0.55, '#2f7fd0'],
    [1, '#5b3fb8'],
  ]))
  fillBox(pen, { x: 0, y: 0, width: edge, height: edge }, radial(pen, [u * 34, u * 26], [0, u * 62], [
    [0, 'rgba(255,240,190,.6)'],
    [1, 'rgba(255,240,190,0)'],
  ]))
  for (const [x, y, size, paint] of [[14, 74, 9, '#ffcf56'], [86, 22, 12, '#ff7a8a'], [90, 66, 6, '#8ef0c8'], [10, 24, 5, '#ffffff']] as const) {
    circle(pen, x * u, y * u, size * u)
    pen.strokeStyle = paint
    pen.lineWidth = u * 1.3
    pen.stroke()
  }
  pen.fillStyle = '#3a2033'
  blob(pen, [[27, 46], [24, 20], [40, 9], [56, 9], [76, 12], [78, 44], [78, 66], [70, 76], [30, 76], [25, 66]], u)
  pen.fillStyle = linear(pen, [0, u * 74], [0, edge], [[0, '#ffb347'], [1, '#e5623c']])
  blob(pen, [[12, 104], [14, 82], [34, 76], [50, 78], [66, 76], [86, 82], [88, 104], [50, 110]], u)
  pen.fillStyle = '#c98260'
  pen.beginPath()
  pen.roundRect(u * 43, u * 60, u * 15, u * 22, u * 6)
  pen.fill()
  pen.fillStyle = linear(pen, [u * 32, u * 20], [u * 70, u * 70], [[0, '#ffd9b5'], [0.6, '#f0b08a'], [1, '#d08a68']])
  pen.beginPath()
  pen.ellipse(u * 50.5, u * 46, u * 18.5, u * 23, 0, 0, Math.PI * 2)
  pen.fill()
  face(pen, u)
  pen.fillStyle = '#4a2942'
  blob(pen, [[31, 42], [30, 24], [44, 15], [58, 15], [71, 24], [70.5, 41], [65, 31], [56, 29], [44, 33], [36, 34]], u)
  headphones(pen, u)
}

function face(pen: Pen, u: number): void {
  for (const x of [43, 58]) {
    pen.fillStyle = '#ffffff'
    pen.beginPath()
    pen.ellipse(x * u, u * 46, u * 3.5, u * 2.7, 0, 0, Math.PI * 2)
    pen.fill()
    circle(pen, (x + 0.5) * u, u * 46, u * 1.9)
    pen.fillStyle = '#2b4a3f'
    pen.fill()
    circle(pen, (x + 1.1) * u, u * 45.3, u * 0.65)
    pen.fillStyle = '#ffffff'
    pen.fill()
    pen.strokeStyle = '#4a2942'
    pen.lineWidth = u * 1.1
    pen.lineCap = 'round'
    pen.beginPath()
    pen.arc(x * u, u * 45, u * 5.4, Math.PI * 1.25, Math.PI * 1.75)
    pen.stroke()
    circle(pen, (x < 50 ? x - 3 : x + 3) * u, u * 54, u * 3.2)
    pen.fillStyle = 'rgba(240,110,100,.35)'
    pen.fill()
  }
  pen.strokeStyle = '#b9724f'
  pen.lineWidth = u * 0.9
  pen.beginPath()
  pen.moveTo(u * 51, u * 46)
  pen.quadraticCurveTo(u * 54, u * 53, u * 50, u * 53.4)
  pen.stroke()
  pen.fillStyle = '#a83c46'
  pen.beginPath()
  pen.moveTo(u * 44, u * 57.5)
  pen.quadraticCurveTo(u * 50.5, u * 59.5, u * 57, u * 57.5)
  pen.quadraticCurveTo(u * 51, u * 66, u * 44, u * 57.5)
  pen.fill()
}

function headphones(pen: Pen, u: number): void {
  pen.strokeStyle = linear(pen, [u * 28, 0], [u * 74, 0], [[0, '#f6f7fb'], [1, '#aeb6cc']])
  pen.lineWidth = u * 3.4
  pen.beginPath()
  pen.arc(u * 50.5, u * 44, u * 23.5, Math.PI * 1.02, Math.PI * 1.98)
  pen.stroke()
  for (const x of [24.5, 69]) {
    pen.fillStyle = linear(pen, [0, u * 38], [0, u * 58], [[0, '#ff5c8a'], [1, '#b52a63']])
    pen.beginPath()
    pen.roundRect(x * u, u * 38, u * 7.5, u * 18, u * 3.4)
    pen.fill()
  }
}

/** A closed soft outline through the middles of its points, in hundredths of the edge. */
function blob(pen: Pen, points: readonly (readonly [number, number])[], u: number): void {
  const between = (i: number) => {
    const [one, other] = [points[i % points.length]!, points[(i + 1) % points.length]!]
    return [((one[0] + other[0]) / 2) * u, ((one[1] + other[1]) / 2) * u] as const
  }
  pen.beginPath()
  pen.moveTo(...between(points.length - 1))
  for (const [i, [x, y]] of points.entries()) pen.quadraticCurveTo(x * u, y * u, ...between(i))
  pen.fill()
}
