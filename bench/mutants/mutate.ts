import { parseSync, visitorKeys } from 'oxc-parser'
import { variantsOf, type Node } from './operators.ts'

/** One small change of a source file. */
export interface Mutant {
  readonly id: number
  /** From 1. */
  readonly line: number
  /** The change, such as `a < b → a <= b`. */
  readonly change: string
}

/** A file that holds all its mutants: `__mutant(id)` says whether that one is on. */
export interface MutatedFile {
  readonly source: string
  readonly mutants: readonly Mutant[]
}

const NO_MUTANTS = /^(Import|ExportAll|TS(?!(As|NonNull|Satisfies)Expression$))/
const STATEMENTS = new Set(['ExpressionStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement'])
const LOG_CALL = /^[\w.]*\blog\.(debug|info|warn|error)\(/

/** Text of the log is not mutated, nor types, imports, strings and regular expressions. @throws {Error} for no TypeScript. */
export function mutate(path: string, text: string): MutatedFile {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const mutants: Mutant[] = []

  function add(at: number, before: string, after: string): string {
    const id = mutants.length
    mutants.push({ id, line: text.slice(0, at).split('\n').length, change: `${short(before)} → ${short(after)}` })
    return `__mutant(${id})`
  }

  /** The text of a node with all mutants inside it. */
  function inside(node: Node, isLink: boolean): string {
    let out = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      out += text.slice(at, child.start) + render(child, node, isLink)
      at = child.end
    }
    return out + text.slice(at, node.end)
  }

  function render(node: Node, parent: Node, isParentLink: boolean): string {
    const raw = text.slice(node.start, node.end)
    if (NO_MUTANTS.test(node.type) || LOG_CALL.test(raw)) return raw
    // The links of `a?.b.c` stand or fall together: only the whole chain can be another one.
    const isLink = node.type === 'ChainExpression' || (isParentLink && isLinkOf(node, parent))
    const isRemovable = STATEMENTS.has(node.type) || (node.type === 'ReturnStatement' && !node['argument'])
    if (isRemovable) return `{if (!${add(node.start, raw, '(removed)')}) {${inside(node, false)}}}`
    let out = inside(node, isLink)
    if (isParentLink && isLinkOf(node, parent)) return out
    for (const { code, before = raw, after = code, offset = 0 } of variantsOf(node, parent, text)) {
      out = `(${add(node.start + offset, before, after)} ? (${code}) : ${out})`
    }
    return out
  }

  const source = inside(program as unknown as Node, false)
  return { source, mutants }
}

const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 160)

function isLinkOf(node: Node, parent: Node): boolean {
  return parent.type === 'ChainExpression' || parent['object'] === node || parent['callee'] === node
    ? true
    : parent.type === 'TSNonNullExpression'
}

function childrenOf(node: Node): Node[] {
  const keys = visitorKeys[node.type] ?? []
  return keys
    .flatMap((key) => {
      // `{ name }` is one place for two nodes, and names of properties are no values.
      if (key === 'key' && !node['computed']) return []
      if (key === 'value' && node['shorthand']) return []
      return node[key] as Node | Node[] | null | undefined
    })
    .filter((child): child is Node => Boolean(child))
    .toSorted((a, b) => a.start - b.start)
}
