import type { GlobalFonts } from '@napi-rs/canvas'
import { fileURLToPath } from 'node:url'

/**
 * The faces that overlays write with. The first family of each comes with the npm packages; what its letters lack is
 * drawn with the machine's Noto fonts, or else with any font that covers the script.
 */
const FACES = {
  /** Narrow and heavy, for captions and headlines. */
  poster: { families: ['Anton', 'Noto Sans', 'DejaVu Sans'], weight: 700 },
  /** Handwriting. */
  hand: { families: ['Caveat', 'Noto Sans', 'DejaVu Sans'], weight: 700 },
  /** The old west. */
  western: { families: ['Rye', 'Noto Serif', 'DejaVu Serif'], weight: 400 },
  plain: { families: ['Noto Sans', 'DejaVu Sans', 'Liberation Sans', 'Anton'], weight: 400 },
  bold: { families: ['Noto Sans', 'DejaVu Sans', 'Liberation Sans', 'Anton'], weight: 700 },
  serif: { families: ['Noto Serif Display', 'Noto Serif', 'DejaVu Serif', 'Liberation Serif', 'Rye'], weight: 400 },
  serifBold: { families: ['Noto Serif Display', 'Noto Serif', 'DejaVu Serif', 'Liberation Serif', 'Rye'], weight: 700 },
  mono: { families: ['Noto Sans Mono', 'DejaVu Sans Mono', 'Noto Sans', 'Anton'], weight: 700 },
} as const

export type Face = keyof typeof FACES

const BUNDLED = {
  Anton: ['anton/files/anton-latin-400-normal', 'anton/files/anton-latin-ext-400-normal'],
  Caveat: [
    'caveat/files/caveat-latin-700-normal',
    'caveat/files/caveat-latin-ext-700-normal',
    'caveat/files/caveat-cyrillic-700-normal',
  ],
  Rye: ['rye/files/rye-latin-400-normal', 'rye/files/rye-latin-ext-400-normal'],
}

/** Makes the bundled faces known to the canvas library of this process; a second call changes nothing. */
export function registerFonts(fonts: typeof GlobalFonts): void {
  for (const [family, files] of Object.entries(BUNDLED)) {
    if (fonts.has(family)) continue
    for (const file of files) {
      fonts.registerFromPath(fileURLToPath(import.meta.resolve(`@fontsource/${file}.woff2`)), family)
    }
  }
}

/** The CSS font for a text: its Han letters take the shapes of the language that its other letters speak of. */
export function fontFor(face: Face, sizePx: number, text: string): string {
  const { families, weight } = FACES[face]
  // Before what draws faces and hands in outline, and behind the letters: it has coloured digits too.
  const letters = families.filter((family) => !family.startsWith('DejaVu'))
  const outlined = families.filter((family) => family.startsWith('DejaVu'))
  const scripts = [...scriptFamilies(text), hanFamily(text, face.startsWith('serif'))]
  const stack = [...letters, 'Noto Color Emoji', ...outlined, ...scripts]
  // The poster face has one weight and is heavy as it is; made bold it would smear.
  const heavy = face === 'poster' && isLatin(text) ? 400 : weight
  return `${heavy} ${sizePx}px ${stack.map((family) => `"${family}"`).join(', ')}`
}

/** Named outright: what the library picks for a script is now and then a font without its letters. */
function scriptFamilies(text: string): readonly string[] {
  return SCRIPTS.filter(([letters]) => letters.test(text)).map(([, family]) => family)
}

const SCRIPTS = [
  [/\p{Script=Arabic}/u, 'Noto Sans Arabic'],
  [/\p{Script=Hebrew}/u, 'Noto Sans Hebrew'],
  [/\p{Script=Devanagari}/u, 'Noto Sans Devanagari'],
  [/\p{Script=Bengali}/u, 'Noto Sans Bengali'],
  [/\p{Script=Gurmukhi}/u, 'Noto Sans Gurmukhi'],
  [/\p{Script=Gujarati}/u, 'Noto Sans Gujarati'],
  [/\p{Script=Oriya}/u, 'Noto Sans Oriya'],
  [/\p{Script=Tamil}/u, 'Noto Sans Tamil'],
  [/\p{Script=Telugu}/u, 'Noto Sans Telugu'],
  [/\p{Script=Kannada}/u, 'Noto Sans Kannada'],
  [/\p{Script=Malayalam}/u, 'Noto Sans Malayalam'],
  [/\p{Script=Sinhala}/u, 'Noto Sans Sinhala'],
  [/\p{Script=Thai}/u, 'Noto Sans Thai'],
  [/\p{Script=Lao}/u, 'Noto Sans Lao'],
  [/\p{Script=Khmer}/u, 'Noto Sans Khmer'],
  [/\p{Script=Myanmar}/u, 'Noto Sans Myanmar'],
  [/\p{Script=Georgian}/u, 'Noto Sans Georgian'],
  [/\p{Script=Armenian}/u, 'Noto Sans Armenian'],
  [/\p{Script=Ethiopic}/u, 'Noto Sans Ethiopic'],
  [/\p{Script=Tibetan}/u, 'Noto Serif Tibetan'],
] as const

function isLatin(text: string): boolean {
  return !/[^\p{Script=Latin}\p{Script=Common}]/u.test(text)
}

function hanFamily(text: string, isSerif: boolean): string {
  const region = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'JP'
    : /\p{Script=Hangul}/u.test(text)
      ? 'KR'
      : 'SC'
  return `Noto ${isSerif ? 'Serif' : 'Sans'} CJK ${region}`
}
