import { readFileSync, writeFileSync } from 'node:fs'

interface Marks {
  readonly begin: string
  readonly end: string
}

/** Replaces the text between the two marks of a page. @throws {Error} when they are not there. */
export function writeBetween(file: string, { begin, end }: Marks, text: string): void {
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no "${begin}" followed by "${end}".`)
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`)
}
