import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced block of a page of the documentation. */
export interface Block {
  readonly page: string
  /** Line of its beginning. */
  readonly line: number
  readonly language: string
  readonly code: string
}

/** All blocks of a page, also those inside lists. */
export function blocksOf(root: string, page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: String(match[2]),
    code: String(match[3]).replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
  }))
}
