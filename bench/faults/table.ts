import { readFileSync, writeFileSync } from 'node:fs'
import type { Outcome } from './run.ts'

const BEGIN = '<!-- what `npm run faults -- --write` saw -->'
const END = '<!-- end -->'

/** The outcomes as a table in Markdown. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ experiment: { number, title, passes }, result, seen, seconds }) =>
    [number, title, passes, seen, result, seconds.toFixed(0)].map(escape),
  )
  const head = ['#', 'What was done', 'Passes when', 'What was seen', 'Result', 's']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** So that no cell ends early or becomes markup. */
function escape(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
}

/** Puts the text between the two marks of a page. @throws {Error} when they are not there. */
export function writeBetweenMarks(file: string, text: string): void {
  const page = readFileSync(file, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${file} has no "${BEGIN}" followed by "${END}".`)
  writeFileSync(file, `${page.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${page.slice(end)}`)
}
