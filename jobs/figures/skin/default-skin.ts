import type { ArmWidth } from '../model/model.ts'
import { ALL_SIDES, AROUND, createSkinBrush, type SkinBrush } from './skin-brush.ts'
import type { Texture } from './texture.ts'

/** What a figure without a skin of its own wears here; drawn for this project, not the game's. */
export function defaultSkin(arms: ArmWidth): Texture {
  const brush = createSkinBrush(arms)
  if (arms === 'classic') paintDrummer(brush)
  else paintSinger(brush)
  return brush.texture
}

const LIMBS = ['rightArm', 'leftArm'] as const
const LEGS = ['rightLeg', 'leftLeg'] as const

/** Headphones around short hair, a teal hoodie, jeans and white shoes. */
function paintDrummer(brush: SkinBrush): void {
  const skin = '#bd8763'
  const hoodie = '#2f7477'
  const trim = '#235759'
  paintDrummersHead(brush, skin, '#3b2a20')
  brush.paint({ part: 'body', sides: ALL_SIDES }, hoodie, {}, 0.1)
  brush.draw(
    { part: 'body', sides: ['front'] },
    [
      'ttwsswtt',
      ' twwwwt ',
      '  t  t  ',
      '  c  c  ',
      '  c     ',
      '        ',
      '        ',
      ' tttttt ',
      ' t    t ',
      ' t    t ',
    ],
    { t: trim, w: '#e9e0cd', s: skin, c: '#e9e0cd' },
  )
  brush.paint({ part: 'body', sides: AROUND, isLayer: true }, trim, { y: 11 }, 0.1)
  brush.draw({ part: 'body', sides: ['back'], isLayer: true }, ['tttttttt', 'tttttttt', ' tttttt ', '  tttt  '], {
    t: trim,
  })
  for (const part of LIMBS) {
    brush.paint({ part, sides: ALL_SIDES }, hoodie, {}, 0.1)
    brush.paint({ part, sides: AROUND }, skin, { y: 10 }, 0.05)
    brush.paint({ part, sides: ['bottom'] }, skin, {}, 0.05)
    brush.paint({ part, sides: AROUND, isLayer: true }, trim, { y: 9, height: 1 }, 0.1)
    brush.paint({ part, sides: AROUND }, '#e9e0cd', { y: 4, height: 1 })
  }
  for (const part of LEGS) paintLeg(brush, part, { cloth: '#3c4667', shoe: '#ece8de', sole: '#b8b1a2' })
}

/** Long hair with a fringe, a mustard pinafore over stripes, dark tights and boots. */
function paintSinger(brush: SkinBrush): void {
  const skin = '#e6b48f'
  const hair = '#8f4d2b'
  paintSingersHead(brush, skin, hair)
  const dress = '#dba63f'
  const seam = '#b98527'
  const shirt = '#f0e8d8'
  brush.paint({ part: 'body', sides: ALL_SIDES }, dress, {}, 0.07)
  brush.draw(
    { part: 'body', sides: ['front'] },
    ['dwsssswd', 'dwwsswwd', 'dwwwwwwd', 'drrrrrrd', 'dddddddd', 'dydddddd', 'dddddddd', 'eeeeeeee'],
    { d: dress, w: shirt, s: skin, r: '#c8443f', e: seam, y: shirt },
  )
  brush.draw(
    { part: 'body', sides: ['back'] },
    ['dwwwwwwd', 'dwwwwwwd', 'ddwwwwdd', 'dddrrddd', 'dddddddd', 'dddddddd', 'dddddddd', 'eeeeeeee'],
    { d: dress, w: shirt, r: '#c8443f', e: seam },
  )
  brush.draw({ part: 'body', sides: ['back'], isLayer: true }, ['hhhhhhhh', ' hhhhhh ', ' hhHhhh ', '  hh h  '], {
    h: hair,
    H: '#a35c35',
  })
  brush.paint({ part: 'body', sides: AROUND, isLayer: true }, dress, { y: 10 }, 0.07)
  for (const part of LIMBS) {
    brush.paint({ part, sides: ALL_SIDES }, shirt)
    for (let y = 1; y < 9; y += 2) brush.paint({ part, sides: AROUND }, '#c8443f', { y, height: 1 })
    brush.paint({ part, sides: AROUND }, skin, { y: 9 }, 0.04)
    brush.paint({ part, sides: ['bottom'] }, skin, {}, 0.04)
    brush.paint({ part, sides: AROUND, isLayer: true }, shirt, { y: 8, height: 1 })
  }
  for (const part of LEGS) {
    paintLeg(brush, part, { cloth: '#54465f', shoe: '#6b4632', sole: '#4a2f21' })
    brush.paint({ part, sides: AROUND }, dress, { height: 3 }, 0.07)
    brush.paint({ part, sides: AROUND, isLayer: true }, dress, { height: 2 }, 0.07)
    brush.paint({ part, sides: AROUND, isLayer: true }, seam, { y: 2, height: 1 })
    brush.paint({ part, sides: AROUND, isLayer: true }, '#7d543d', { y: 8, height: 1 })
  }
}

function paintLeg(
  brush: SkinBrush,
  part: (typeof LEGS)[number],
  { cloth, shoe, sole }: { readonly cloth: string; readonly shoe: string; readonly sole: string },
): void {
  brush.paint({ part, sides: ALL_SIDES }, cloth, {}, 0.12)
  brush.paint({ part, sides: AROUND }, shoe, { y: 9 }, 0.05)
  brush.paint({ part, sides: AROUND }, sole, { y: 11 })
  brush.paint({ part, sides: ['bottom'] }, sole)
}

function paintDrummersHead(brush: SkinBrush, skin: string, hair: string): void {
  brush.paint({ part: 'head', sides: ALL_SIDES }, skin, {}, 0.06)
  brush.paint({ part: 'head', sides: ['top'] }, hair, {}, 0.25)
  brush.paint({ part: 'head', sides: ['back'] }, hair, { height: 7 }, 0.25)
  brush.paint({ part: 'head', sides: ['left', 'right'] }, hair, { height: 3 }, 0.25)
  brush.paint({ part: 'head', sides: ['right'] }, hair, { y: 3, width: 3, height: 3 }, 0.25)
  brush.paint({ part: 'head', sides: ['left'] }, hair, { x: 5, y: 3, width: 3, height: 3 }, 0.25)
  brush.draw(
    { part: 'head', sides: ['front'] },
    ['hHhhhHhh', 'hhhHhhhH', 'hsshhsss', 'sbbssbbs', 'swgssgws', 'sssnnsss', 'sssmmmss', 'tsssssst'],
    {
      h: hair,
      H: '#4a3629',
      s: skin,
      b: '#4f3a2b',
      w: '#f3efe6',
      g: '#2f5f55',
      n: '#a97350',
      m: '#8a4f41',
      t: '#ae7856',
    },
  )
  brush.paint({ part: 'head', sides: ['top'], isLayer: true }, '#26282f', { y: 3, height: 2 }, 0.1)
  brush.paint({ part: 'head', sides: ['left', 'right'], isLayer: true }, '#26282f', { x: 3, width: 2, height: 3 }, 0.1)
  brush.draw(
    { part: 'head', sides: ['left', 'right'], isLayer: true },
    ['', '', '  kkkk', '  krrk', '  krRk', '  kkkk'],
    { k: '#26282f', r: '#e2604a', R: '#c94c38' },
  )
}

function paintSingersHead(brush: SkinBrush, skin: string, hair: string): void {
  brush.paint({ part: 'head', sides: ALL_SIDES }, skin, {}, 0.05)
  brush.paint({ part: 'head', sides: ['top', 'back'] }, hair, {}, 0.22)
  brush.paint({ part: 'head', sides: ['left', 'right'] }, hair, { height: 5 }, 0.22)
  brush.paint({ part: 'head', sides: ['right'] }, hair, { width: 5 }, 0.22)
  brush.paint({ part: 'head', sides: ['left'] }, hair, { x: 3 }, 0.22)
  brush.draw(
    { part: 'head', sides: ['front'] },
    ['hHhhhhHh', 'hhhhHhhh', 'hhHshhsh', 'hsssssSh', 'hwgssgwh', 'sppnnpps', 'sssmmsss', 'tsssssst'],
    {
      h: hair,
      H: '#a35c35',
      s: skin,
      S: skin,
      w: '#fbf7ef',
      g: '#4b6b3a',
      p: '#e39c80',
      n: '#d59c77',
      m: '#b5594f',
      t: '#d5a27d',
    },
  )
  brush.paint({ part: 'head', sides: ['back'], isLayer: true }, hair, {}, 0.25)
  brush.draw(
    { part: 'head', sides: ['front'], isLayer: true },
    ['aHaaHaaa', 'aaaHaaHa', 'a aa   a', 'a      a', 'a      a', 'a'],
    {
      a: hair,
      H: '#a35c35',
    },
  )
  brush.paint({ part: 'head', sides: ['right'], isLayer: true }, hair, { width: 4 }, 0.25)
  brush.paint({ part: 'head', sides: ['left'], isLayer: true }, hair, { x: 4 }, 0.25)
  brush.paint({ part: 'head', sides: ['left', 'right'], isLayer: true }, hair, { height: 2 }, 0.25)
  brush.paint({ part: 'head', sides: ['top'], isLayer: true }, hair, {}, 0.25)
  brush.paint({ part: 'head', sides: ['front'], isLayer: true }, '#c8443f', { x: 6, y: 1, width: 2, height: 1 })
}
