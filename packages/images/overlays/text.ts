import { fontFor, type Face } from './fonts.ts'
import type { Box, Pen } from './canvas.ts'

export interface TextStyle {
  readonly face: Face
  /** The size it has when there is room; it shrinks to fit the box, but not under a sixth of this. */
  readonly sizePx: number
  readonly colour: string | CanvasPaint
  readonly outline?: string
  /** The outline's width as a part of the letters' size. */
  readonly outlineEm?: number
  readonly align?: 'start' | 'center' | 'end'
  readonly valign?: 'top' | 'middle' | 'bottom'
  readonly lineEm?: number
  readonly maxLines?: number
  readonly spacingEm?: number
}

type CanvasPaint = Pen['fillStyle']

export interface FittedText {
  readonly lines: readonly string[]
  readonly sizePx: number
  readonly linePx: number
  readonly widthPx: number
  readonly heightPx: number
}

const PROBE_PX = 100
const STEPS = 14
const RIGHT_TO_LEFT =
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

const words = new Intl.Segmenter('und', { granularity: 'word' })
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Whether a paragraph runs from right to left: its first letter decides. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** The largest size at which the text, broken into lines, fits into the box; what never fits ends in an ellipsis. */
export function fitText(pen: Pen, text: string, box: Pick<Box, 'width' | 'height'>, style: TextStyle): FittedText {
  const { sizePx, lineEm = 1.2, maxLines = 99 } = style
  const measure = measurer(pen, text, style)
  const paragraphs = text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line, at) => line !== '' || at === 0)
    .map((paragraph) => unitsOf(paragraph, measure))
  const attempt = (size: number, cut: boolean): FittedText | null => {
    const room = box.width / size
    const all = paragraphs.flatMap((units) => breakLines(units, room, measure))
    const rows = Math.max(1, Math.min(maxLines, Math.floor(box.height / size / lineEm + 0.01)))
    if (all.length > rows && !cut) return null
    const lines = all.length > rows ? shorten(all.slice(0, rows), room, measure) : all
    const widthEm = Math.max(0, ...lines.map(measure))
    if (widthEm > room * 1.001 && !cut) return null
    return {
      lines,
      sizePx: size,
      linePx: size * lineEm,
      widthPx: widthEm * size,
      heightPx: lines.length * size * lineEm,
    }
  }
  const smallest = sizePx / 6
  const whole = attempt(sizePx, false)
  if (whole) return whole
  let low = smallest
  let high = sizePx
  for (let i = 0; i < STEPS; i++) {
    const middle = (low + high) / 2
    if (attempt(middle, false)) low = middle
    else high = middle
  }
  return attempt(low, true)!
}

/** Fits the text into the box and draws it there. An empty text draws nothing. */
export function drawText(pen: Pen, text: string, box: Box, style: TextStyle): FittedText {
  const fitted = fitText(pen, text, box, style)
  const { align = 'center', valign = 'middle', outline, outlineEm = 0.14, spacingEm = 0 } = style
  const slack = box.height - fitted.heightPx
  const top = box.y + (valign === 'top' ? 0 : valign === 'bottom' ? slack : slack / 2)
  pen.save()
  pen.font = fontFor(style.face, fitted.sizePx, text)
  pen.letterSpacing = `${spacingEm * fitted.sizePx}px`
  pen.textBaseline = 'alphabetic'
  pen.lineJoin = 'round'
  pen.fillStyle = style.colour
  const lines = fitted.lines.map((line, i) => {
    const backwards = isRightToLeft(line)
    const onRight = (align === 'end') !== backwards
    const x = align === 'center' ? box.x + box.width / 2 : onRight ? box.x + box.width : box.x
    return { line, backwards, x, y: top + (i + 0.5) * fitted.linePx + fitted.sizePx * 0.36 }
  })
  const each = (draw: (line: string, x: number, y: number) => void) => {
    for (const { line, backwards, x, y } of lines) {
      pen.direction = backwards ? 'rtl' : 'ltr'
      pen.textAlign = align
      draw(line, x, y)
    }
  }
  if (outline) {
    pen.strokeStyle = outline
    pen.lineWidth = fitted.sizePx * outlineEm
    each((line, x, y) => pen.strokeText(line, x, y))
    // The fill must not throw a second shadow over the outline of the line above.
    pen.shadowColor = 'rgba(0,0,0,0)'
  }
  each((line, x, y) => pen.fillText(line, x, y))
  pen.restore()
  return fitted
}

type Measure = (text: string) => number

/** Measures in ems: a text's width grows with its size, so every size is tried on the widths of one. */
function measurer(pen: Pen, text: string, style: TextStyle): Measure {
  const known = new Map<string, number>()
  const font = fontFor(style.face, PROBE_PX, text)
  return (part) => {
    const before = known.get(part)
    if (before !== undefined) return before
    pen.save()
    pen.font = font
    pen.letterSpacing = `${(style.spacingEm ?? 0) * PROBE_PX}px`
    const width = pen.measureText(part).width / PROBE_PX
    pen.restore()
    known.set(part, width)
    return width
  }
}

/**
 * Splits a paragraph into units that may stand alone on a line: words with the marks that cling to them; over-long ones
 * fall into letters later.
 */
function unitsOf(paragraph: string, measure: Measure): readonly string[] {
  const units: string[] = []
  let opening = ''
  for (const { segment, isWordLike } of words.segment(paragraph)) {
    const clings = !isWordLike && /^[\p{P}\p{M}]+$/u.test(segment) && !/^[\p{Ps}\p{Pi}]+$/u.test(segment)
    if (/^[\p{Ps}\p{Pi}¿¡]+$/u.test(segment)) opening += segment
    else if (clings && units.length > 0 && opening === '') units[units.length - 1] += segment
    else {
      units.push(opening + segment)
      opening = ''
    }
  }
  if (opening) units.push(opening)
  for (const unit of units) measure(unit)
  return units
}

function breakLines(units: readonly string[], room: number, measure: Measure): string[] {
  const lines: string[] = []
  let line = ''
  for (const unit of units) {
    if (measure((line + unit).trimEnd()) <= room) line += unit
    else {
      if (line.trim()) lines.push(line.trim())
      const pieces = measure(unit.trim()) <= room ? [unit] : piecesOf(unit, room, measure)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1)!.trimStart()
    }
  }
  lines.push(line.trim())
  return lines
}

function piecesOf(unit: string, room: number, measure: Measure): string[] {
  const pieces: string[] = ['']
  for (const { segment } of graphemes.segment(unit)) {
    const last = pieces.at(-1)!
    if (last === '' || measure(last + segment) <= room) pieces[pieces.length - 1] = last + segment
    else pieces.push(segment)
  }
  return pieces
}

function shorten(lines: readonly string[], room: number, measure: Measure): string[] {
  const letters = Array.from(graphemes.segment(lines.at(-1) ?? ''), (it) => it.segment)
  while (letters.length > 0 && measure(`${letters.join('')}…`) > room) letters.pop()
  return [...lines.slice(0, -1), `${letters.join('').trimEnd()}…`]
}
