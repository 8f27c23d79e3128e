/** A node of the syntax tree; further fields depend on the type. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Variant {
  /** What stands in the node's place. */
  readonly code: string
  /** What the report shows, where the whole node says too much. */
  readonly before?: string
  readonly after?: string
  /** From the start of the node to the change, in characters. */
  readonly offset?: number
}

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
}
const ASSIGNMENT: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '*=': '/=' }
const METHODS: ReadonlyMap<string, string> = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['ceil', 'floor'],
  ['floor', 'ceil'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
])
/** Calls whose result may be their receiver instead. */
const PASSED_BY = new Set(['filter', 'slice', 'toSorted', 'toSpliced', 'concat', 'replace', 'replaceAll'])
const LUA: readonly (readonly [pattern: RegExp, becomes: (found: string) => string])[] = [
  [/ (<|>) /g, (it) => (it === ' < ' ? ' <= ' : ' >= ')],
  [/ (\+|-|\*) /g, (it) => ({ ' + ': ' - ', ' - ': ' + ', ' * ': ' + ' })[it] ?? it],
  [/ (and|or) /g, (it) => (it === ' and ' ? ' or ' : ' and ')],
  [/\b(min|max|ceil|floor)\b/g, (it) => METHODS.get(it) ?? it],
  [/\b\d+\b/g, (it) => String(Number(it) + 1)],
  [/\bnot /g, () => ''],
  [/(?<=^|then ) *(put\(.*?\)|redis\.call\('SET'.*\)|if .* end)(?=$| end)/gm, () => ''],
]

/** Other code for a node, each a fault that a test should see. */
export function variantsOf(node: Node, parent: Node, text: string): readonly Variant[] {
  const raw = (it: unknown) => text.slice((it as Node).start, (it as Node).end)
  const variants: (Variant | string)[] = ownVariants(node, raw)
  if (parent['test'] === node && parent.type !== 'ForStatement') {
    const isLoop = /^(Do)?While/.test(parent.type)
    variants.push(...(isLoop ? ['false'] : ['true', 'false']))
  }
  if (node.type === 'AwaitExpression' && parent.type === 'ExpressionStatement') variants.push(raw(node['argument']))
  return variants.map((it) => (typeof it === 'string' ? { code: it } : it)).filter(({ code }) => code !== raw(node))
}

function ownVariants(node: Node, raw: (it: unknown) => string): (Variant | string)[] {
  switch (node.type) {
    case 'BinaryExpression': {
      const others = BINARY[String(node['operator'])] ?? []
      return others.map((operator) => `${raw(node['left'])} ${operator} ${raw(node['right'])}`)
    }
    case 'LogicalExpression':
      return [raw(node['left']), raw(node['right'])]
    case 'AssignmentExpression': {
      const other = ASSIGNMENT[String(node['operator'])]
      return other ? [`${raw(node['left'])} ${other} ${raw(node['right'])}`] : []
    }
    case 'UnaryExpression':
      return ['!', '-'].includes(String(node['operator'])) ? [raw(node['argument'])] : []
    case 'UpdateExpression':
      return [raw(node).replace(/\+\+|--/, (it) => (it === '++' ? '--' : '++'))]
    case 'Literal':
      return literal(node)
    case 'ChainExpression':
      return [raw(node).replace(/\?\.(?=[\w$])/, '.')]
    case 'CallExpression':
      return call(node, raw)
    case 'ObjectExpression':
      return withoutOne(node, raw)
    case 'TemplateLiteral':
      return lua(raw(node))
    default:
      return []
  }
}

function literal({ value }: Node): string[] {
  if (typeof value === 'boolean') return [String(!value)]
  return typeof value === 'number' ? [String(value + 1)] : []
}

function call(node: Node, raw: (it: unknown) => string): string[] {
  const callee = node['callee'] as Node
  if (callee.type !== 'MemberExpression') return []
  const name = raw(callee['property'])
  const receiver = raw(callee['object'])
  const other = METHODS.get(name)
  const after = raw(node).slice(raw(callee).length)
  if (other) return [`${receiver}.${other}${after}`]
  return PASSED_BY.has(name) ? [receiver] : []
}

/** The object without each of its properties. */
function withoutOne(node: Node, raw: (it: unknown) => string): Variant[] {
  const properties = node['properties'] as readonly Node[]
  return properties.map((gone) => ({
    code: `{ ${properties
      .filter((it) => it !== gone)
      .map(raw)
      .join(', ')} }`,
    before: raw(gone),
    after: '(removed)',
    offset: gone.start - node.start,
  }))
}

/** A script for Redis is code as well. */
function lua(script: string): Variant[] {
  if (!script.includes('\nlocal ')) return []
  return LUA.flatMap(([pattern, becomes]) =>
    [...script.matchAll(pattern)].map(({ 0: found, index }) => {
      const code = script.slice(0, index) + becomes(found) + script.slice(index + found.length)
      const from = script.lastIndexOf('\n', index) + 1
      const line = (text: string) => (text.slice(from).split('\n', 1)[0] ?? '').trim()
      return { code, before: line(script), after: line(code), offset: index }
    }),
  )
}
