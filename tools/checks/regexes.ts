// Fails on every regular expression of the product that takes more than linear time on some text, or of which that is not
// known. `// linear: <why>` in the comment right above one accepts it; what callers or other services send is no reason.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { check, type Diagnostics } from 'recheck'

interface Expression {
  readonly file: string
  readonly line: number
  readonly code: string
  /** Null if it is built from a value that is not constant. */
  readonly pattern: { readonly source: string; readonly flags: string } | null
  readonly isJustified: boolean
}

type Verdict = { readonly kind: 'linear' } | { readonly kind: 'super-linear' | 'undecided'; readonly why: string }

const root = join(import.meta.dirname, '..', '..')
const JUSTIFICATION = /^\s*linear: \S+ \S+/
/** The limit for one expression; all present ones take a few seconds at most. */
const DECIDE_TIMEOUT_MS = 60_000
/** Verdicts are cached by the version of the checker. */
const cacheFile = join(root, 'node_modules/.cache/regexes', `${versionOf('recheck')}.json`)

const files = process.argv.slice(2)
const expressions = (files.length > 0 ? files : productFiles()).flatMap(expressionsIn)
const verdicts = await decideAll(expressions)
const faults = expressions.flatMap(faultOf)
for (const fault of faults) console.error(`${fault}\n`)
console.log(`${expressions.length} regular expressions, ${faults.length} to mend.`)
process.exit(faults.length > 0 ? 1 : 0)

function productFiles(): string[] {
  const tracked = ['--cached', '--others', '--exclude-standard', '--', '*.ts', '*.js', '*.mjs']
  const listed = execFileSync('git', ['ls-files', '--deduplicate', ...tracked], { cwd: root, encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((file) => file !== '' && !/^(?:tools\/(?:bench|stage)|test|packages\/\w+\/test)\//.test(file))
    .map((file) => join(root, file))
}

/** Every literal, and every call of `RegExp`, which is constant when its arguments are plain texts. */
function expressionsIn(path: string): Expression[] {
  const text = readFileSync(path, 'utf8')
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const byLastLine = new Map(comments.map((comment) => [lineAt(comment.end), comment]))
  const isJustified = (line: number): boolean => {
    const above = byLastLine.get(line - 1)
    return above !== undefined && (JUSTIFICATION.test(above.value) || isJustified(lineAt(above.start)))
  }
  const found: Expression[] = []
  const add = ({ start, end }: Span, pattern: Expression['pattern']) => {
    const line = lineAt(start)
    const [file, code] = [relative(root, path), text.slice(start, end)]
    found.push({ file, line, code, pattern, isJustified: isJustified(line) })
  }
  const construct = (node: Span & { callee: unknown; arguments: unknown[] }) => {
    if ((node.callee as { name?: string }).name === 'RegExp') add(node, constantOf(node.arguments))
  }
  new Visitor({
    Literal: (node) => 'regex' in node && add(node, { source: node.regex.pattern, flags: node.regex.flags }),
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program)
  return found
}

interface Span {
  readonly start: number
  readonly end: number
}

function constantOf(given: readonly unknown[]): Expression['pattern'] {
  const [source, flags = ''] = given.map((node) => (node as { value?: unknown }).value)
  return typeof source === 'string' && typeof flags === 'string' ? { source, flags } : null
}

async function decideAll(all: readonly Expression[]): Promise<ReadonlyMap<string, Verdict>> {
  const known = new Map<string, Verdict>(Object.entries(readCache()))
  const patterns = new Map(all.flatMap(({ pattern }) => (pattern ? [[keyOf(pattern), pattern] as const] : [])))
  const open = [...patterns].filter(([key]) => !known.has(key))
  const work = async () => {
    for (let next = open.pop(); next; next = open.pop()) known.set(next[0], await decide(next[1]))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  mkdirSync(join(cacheFile, '..'), { recursive: true })
  // Undecided expressions are tried again: a faster machine may decide them in time.
  const decided = [...known].filter(([, { kind }]) => kind !== 'undecided')
  writeFileSync(cacheFile, JSON.stringify(Object.fromEntries(decided)))
  return known
}

/** Decides by automata alone, which prove what they say: searching for an attack by trial proves nothing when it finds none. */
async function decide({ source, flags }: NonNullable<Expression['pattern']>): Promise<Verdict> {
  const found: Diagnostics = await check(source, flags, { checker: 'automaton', timeout: DECIDE_TIMEOUT_MS })
  if (found.status === 'safe') return { kind: 'linear' }
  if (found.status === 'vulnerable')
    return { kind: 'super-linear', why: `${found.complexity.summary}, as on ${found.attack.pattern}` }
  const { error } = found
  return { kind: 'undecided', why: 'message' in error ? `${error.kind}: ${error.message}` : error.kind }
}

function faultOf(expression: Expression): string[] {
  const { file, line, code, pattern, isJustified } = expression
  const verdict = pattern && verdicts.get(keyOf(pattern))
  const isLinear = verdict?.kind === 'linear'
  if (isLinear !== isJustified) return []
  return [`${file}:${line} ${code}\n  ${whyNot(verdict ?? null)}`]
}

function whyNot(verdict: Verdict | null): string {
  if (verdict === null) return 'not constant, so nothing is known of it.'
  if (verdict.kind === 'linear') return 'is linear: remove the comment `// linear: …` above it.'
  return `${verdict.kind}: ${verdict.why}`
}

function keyOf({ source, flags }: NonNullable<Expression['pattern']>): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex')
}

function readCache(): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8')) as Record<string, Verdict>
  } catch {
    return {}
  }
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
