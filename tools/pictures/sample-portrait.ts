// A picture for the contact sheets: drawn here, so that no third-party work is needed to show the filters.
import type { SKRSContext2D } from '@napi-rs/canvas'
import { circle, fillBox, linear, radial } from '../../packages/images/overlays/canvas.ts'

type Pen = SKRSContext2D

/** A listener with headphones before a bright wall. */
export function drawPortrait(pen: Pen, edge: number): void {
  const u = edge / 100
  wall(pen, edge, u)
  shoulders(pen, edge, u)
  head(pen, u)
}

function wall(pen: Pen, edge: number, u: number): void {
  fillBox(
    pen,
    { x: 0, y: 0, width: edge, height: edge },
    linear(pen, [0, 0], [edge, edge], { 0: '#18b6b0', 0.55: '#2f7fd0', 1: '#5b3fb8' }),
  )
  fillBox(
    pen,
    { x: 0, y: 0, width: edge, height: edge },
    radial(pen, [u * 34, u * 26], [0, u * 62], { 0: 'rgba(255,240,190,.6)', 1: 'rgba(255,240,190,0)' }),
  )
  for (const [x, y, size, paint] of [
    [14, 74, 9, '#ffcf56'],
    [86, 22, 12, '#ff7a8a'],
    [90, 66, 6, '#8ef0c8'],
    [10, 24, 5, '#ffffff'],
  ] as const) {
    circle(pen, x * u, y * u, size * u)
    pen.strokeStyle = paint
    pen.lineWidth = u * 1.3
    pen.stroke()
  }
}

function shoulders(pen: Pen, edge: number, u: number): void {
  pen.fillStyle = '#3a2033'
  blob(
    pen,
    [
      [27, 46],
      [24, 20],
      [40, 9],
      [56, 9],
      [76, 12],
      [78, 44],
      [78, 66],
      [70, 76],
      [30, 76],
      [25, 66],
    ],
    u,
  )
  pen.fillStyle = linear(pen, [0, u * 74], [0, edge], { 0: '#ffb347', 1: '#e5623c' })
  blob(
    pen,
    [
      [12, 104],
      [14, 82],
      [34, 76],
      [50, 78],
      [66, 76],
      [86, 82],
      [88, 104],
      [50, 110],
    ],
    u,
  )
}

function head(pen: Pen, u: number): void {
  pen.fillStyle = '#c98260'
  pen.beginPath()
  pen.roundRect(u * 43, u * 60, u * 15, u * 22, u * 6)
  pen.fill()
  pen.fillStyle = linear(pen, [u * 32, u * 20], [u * 70, u * 70], { 0: '#ffd9b5', 0.6: '#f0b08a', 1: '#d08a68' })
  pen.beginPath()
  pen.ellipse(u * 50.5, u * 46, u * 18.5, u * 23, 0, 0, Math.PI * 2)
  pen.fill()
  face(pen, u)
  pen.fillStyle = '#4a2942'
  blob(
    pen,
    [
      [31, 42],
      [30, 24],
      [44, 15],
      [58, 15],
      [71, 24],
      [70.5, 41],
      [65, 31],
      [56, 29],
      [44, 33],
      [36, 34],
    ],
    u,
  )
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
  pen.strokeStyle = linear(pen, [u * 28, 0], [u * 74, 0], { 0: '#f6f7fb', 1: '#aeb6cc' })
  pen.lineWidth = u * 3.4
  pen.beginPath()
  pen.arc(u * 50.5, u * 44, u * 23.5, Math.PI * 1.02, Math.PI * 1.98)
  pen.stroke()
  for (const x of [24.5, 69]) {
    pen.fillStyle = linear(pen, [0, u * 38], [0, u * 58], { 0: '#ff5c8a', 1: '#b52a63' })
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
