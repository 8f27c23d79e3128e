import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { ArmWidth, PartName, Side } from '../../packages/figures/model/model.ts'
import { ALL_SIDES, createCapeBrush, createSkinBrush } from './skin-brush.ts'
import type { Texture } from '../../packages/figures/skin/texture.ts'
import { serve, type Listening } from './web.ts'

const PARTS = ['head', 'body', 'rightArm', 'leftArm', 'rightLeg', 'leftLeg'] as const satisfies readonly PartName[]

/** A skin on which every side of every part has a colour that no other has. */
export function tellingSkin(arms: ArmWidth, { layers = false } = {}): Texture {
  const brush = createSkinBrush(arms)
  for (const part of PARTS) {
    for (const side of ALL_SIDES) {
      brush.paint({ part, sides: [side] }, tellingColour(part, side))
      if (layers) brush.paint({ part, sides: [side], isLayer: true }, tellingColour(part, side, true), { height: 2 })
    }
  }
  return brush.texture
}

/** A cape with another colour on its outside than on its inside. */
export function tellingCape(): Texture {
  const brush = createCapeBrush()
  brush.paint({ part: 'cape', sides: ALL_SIDES }, '#1020e0')
  brush.paint({ part: 'cape', sides: ['front'] }, '#e0c010')
  return brush.texture
}

/** One of 36 hues that differ by more than light does; layers are paler. */
export function tellingColour(part: (typeof PARTS)[number], side: Side, isLayer = false): string {
  const number = PARTS.indexOf(part) * 6 + ALL_SIDES.indexOf(side)
  const channel = (shift: number) => {
    const swing = Math.cos(((number * 10 - shift) * Math.PI) / 180)
    return Math.round(120 + (isLayer ? 30 : 70) * swing)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(120)}${channel(240)}`
}

/** A web server that has another skin at each address. */
export function serveSkins(): Promise<Listening> {
  return serve(({ url = '' }, response) => {
    const { rgba, ...size } = tellingSkin('classic')
    const shade = createHash('sha256').update(url).digest()
    const shaded = rgba.map((value, i) => (i % 4 < 3 ? (value + (shade[i % 4] ?? 0)) % 256 : value))
    response.setHeader('content-type', 'image/png')
    void skinPng({ ...size, rgba: shaded }).then((bytes) => response.end(bytes))
  })
}

export function skinPng({ width, height, rgba }: Texture): Promise<Buffer> {
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}
