import { readFileSync } from 'node:fs'

/** The page for people: one file, so that it can be looked at and changed as what it is. */
export function readPage(): string {
  return readFileSync(new URL('page.html', import.meta.url), 'utf8')
}
