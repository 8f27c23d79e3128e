// Fails when too many comments open with a clause ("What …", "Who …") or a fragment ("Of …", "As …") instead of the thing they
// are about, or hide who acts ("nobody", "whoever").
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, type Comment } from 'oxc-parser'
import { listFiles, root } from './imports.ts'

const FORMS = {
  'open with a clause': {
    mostPercent: 3,
    pattern: /^(?:What|Who|Whom|Which|How|Where|Whose|By which|In whose|For whom|To what|With what|Of what)\b/,
  },
  'open with a fragment': {
    mostPercent: 3,
    pattern:
      /^(?:Of|As|By|In|For|From|Under|With|Behind|Besides?|Beyond|Below|Else|So (?:many|long|far)|Those|These|Both|Each of|One that|Its?|They|Their|None)\b/,
  },
  'hide the actor': { mostPercent: 0, pattern: /\b(?:nobody|somebody|whoever|anew|unless told)\b/i },
} as const
/** A shorter comment is a unit or a name. */
const LEAST_CHARS = 16

const comments = listFiles('*.ts', '*.js', '*.mjs').flatMap(commentsOf)
for (const [form, { mostPercent, pattern }] of Object.entries(FORMS)) {
  const found = comments.filter(({ text }) => pattern.test(text))
  const percent = (100 * found.length) / comments.length
  console.log(`${found.length} of ${comments.length} comments ${form}: ${percent.toFixed(1)}%.`)
  if (percent <= mostPercent) continue
  for (const { at, text } of found) console.error(`${at}: ${text.slice(0, 80)}`)
  process.exitCode = 1
}

function commentsOf(file: string): { readonly at: string; readonly text: string }[] {
  const source = readFileSync(join(root, file), 'utf8')
  const all = parseSync(file, source).comments
  return all
    .filter((comment, i) => !continues(source, all[i - 1], comment))
    .map(({ start, value }) => ({ at: `${file}:${source.slice(0, start).split('\n').length}`, text: plain(value) }))
    .filter(({ text }) => text.length >= LEAST_CHARS)
}

/** Whether it is a further line of the line comment above it. */
function continues(source: string, above: Comment | undefined, { type, start }: Comment): boolean {
  if (type !== 'Line' || above?.type !== 'Line') return false
  return /^\n[ \t]*$/.test(source.slice(above.end, start))
}

function plain(value: string): string {
  const lines = value.split('\n').map((line) => line.trim())
  return lines
    .map((line) => line.slice(line.lastIndexOf('*', 1) + 1).trim())
    .join(' ')
    .trim()
}
