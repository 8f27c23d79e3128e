import { z } from 'zod'
import { colour, whole, words } from '../params.ts'
import { circle, fade, fill, fillBox, linear, path, roundBox, shaded, useStroke, type Pen } from './canvas.ts'
import { edgeOf, full, scene } from './scene.ts'
import { drawText } from './text.ts'

export const album = scene('album', 'Show as the cover of a playing track', {
  params: z.object({
    title: words({ max: 80, default: 'Untitled track', about: 'Title.' }),
    artist: words({ max: 60, default: 'Unknown artist', about: 'Artist.' }),
    album: words({ max: 60, default: '', about: 'Album.' }),
    elapsed: whole({ min: 0, max: 86_400, default: 83, about: 'Position in seconds.' }),
    total: whole({ min: 1, max: 86_400, default: 214, about: 'Length in seconds.' }),
    colour: colour({ default: '#ff5c8a', about: 'Colour of the bar.' }),
  }),
  compose([size], { title, artist, album: from, elapsed, total, colour: paint }) {
    const height = edgeOf(size!, [360, 520])
    const width = Math.round(height * 2.4)
    const u = height / 100
    const cover = { x: u * 9, y: u * 9, width: u * 82, height: u * 82 }
    return {
      width,
      height,
      slots: [
        {
          ...full({ width, height }),
          soft: true,
          clip: (pen) => pen.roundRect(0, 0, width, height, u * 7),
          filter: 'brightness(.55) saturate(1.3)',
        },
        // The shade between ground and cover is part of the cover's own place.
        { ...cover, clip: (pen) => pen.roundRect(cover.x, cover.y, cover.width, cover.height, u * 4) },
      ],
      over(pen) {
        roundBox(pen, cover, u * 4)
        useStroke(pen, 'rgba(255,255,255,.18)', u * 0.6)
        pen.stroke()
        const box = { x: u * 101, width: width - u * 110 }
        drawText(
          pen,
          from || 'Now playing',
          { ...box, y: u * 11, height: u * 8 },
          { face: 'bold', sizePx: u * 5.2, colour: fade(paint, 1), align: 'start', maxLines: 1, spacingEm: 0.04 },
        )
        drawText(
          pen,
          title,
          { ...box, y: u * 20, height: u * 24 },
          {
            face: 'bold',
            sizePx: u * 12.5,
            colour: '#ffffff',
            align: 'start',
            maxLines: 2,
            lineEm: 1.14,
            valign: 'top',
          },
        )
        drawText(
          pen,
          artist,
          { ...box, y: u * 46, height: u * 10 },
          { face: 'plain', sizePx: u * 7, colour: 'rgba(255,255,255,.78)', align: 'start', maxLines: 1 },
        )
        timeline(pen, { ...box, y: u * 63, u, elapsed: Math.min(elapsed, total), total, paint })
        controls(pen, box.x + box.width / 2, u * 84, u)
      },
    }
  },
})

interface Timeline {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly u: number
  readonly elapsed: number
  readonly total: number
  readonly paint: string
}

function timeline(pen: Pen, { x, y, width, u, elapsed, total, paint }: Timeline): void {
  const done = (width * elapsed) / total
  roundBox(pen, { x, y, width, height: u * 1.8 }, u)
  fill(pen, 'rgba(255,255,255,.24)')
  if (done > 0) {
    roundBox(pen, { x, y, width: Math.max(done, u * 1.8), height: u * 1.8 }, u)
    fill(pen, linear(pen, [x, 0], [x + done, 0], { 0: fade(paint, 0.75), 1: paint }))
  }
  shaded(pen, { colour: 'rgba(0,0,0,.5)', blur: u * 2 }, () => {
    circle(pen, x + done, y + u * 0.9, u * 2.2)
    fill(pen, '#ffffff')
  })
  const style = { face: 'plain', sizePx: u * 4.6, colour: 'rgba(255,255,255,.72)', maxLines: 1 } as const
  const row = { x, y: y + u * 3.6, width, height: u * 6 }
  drawText(pen, clock(elapsed), row, { ...style, align: 'start' })
  drawText(pen, clock(total), row, { ...style, align: 'end' })
}

function clock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

function controls(pen: Pen, x: number, y: number, u: number): void {
  circle(pen, x, y, u * 7)
  fill(pen, '#ffffff')
  for (const dx of [-2.6, 0.8]) {
    roundBox(pen, { x: x + dx * u, y: y - u * 3, width: u * 1.8, height: u * 6 }, u * 0.5)
    fill(pen, '#15161a')
  }
  pen.fillStyle = 'rgba(255,255,255,.9)'
  for (const side of [-1, 1]) {
    const at = x + side * u * 16
    for (const part of [0, 1]) {
      path(
        pen,
        [at + side * u * (part * 3.4 - 3), y - u * 2.8],
        [at + side * u * (part * 3.4 + 0.4), y],
        [at + side * u * (part * 3.4 - 3), y + u * 2.8],
      )
      pen.fill()
    }
    fillBox(
      pen,
      { x: at + side * u * 4 - u * 0.4, y: y - u * 2.8, width: u * 0.8, height: u * 5.6 },
      'rgba(255,255,255,.9)',
    )
  }
}
