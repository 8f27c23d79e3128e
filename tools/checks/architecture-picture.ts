// Draws which folder imports which into docs/architecture.md; with --check it fails where the picture is not current.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, listFiles, root, topOf } from './imports.ts'

const FILE = join(root, 'docs', 'architecture.md')
const [START, END] = ['<!-- imports: npm run architecture -->', '<!-- /imports -->']
/** Folders outside the running service, and those that all import. */
const LEFT_OUT: ReadonlySet<string> = new Set(['test', 'tools', 'packages/client', 'lib', 'config.ts'])

/** Mermaid; solid: runs code of it, dotted: knows its types alone. */
function draw(): string {
  const arrows = new Map<string, boolean>()
  for (const { from, to, isPackage, isType } of listFiles('*.ts').flatMap(importsOf)) {
    const [source, target] = [topOf(from), topOf(to)]
    if (isPackage || source === target || LEFT_OUT.has(source) || LEFT_OUT.has(target)) continue
    const arrow = `${source} ${target}`
    arrows.set(arrow, (arrows.get(arrow) ?? false) || !isType)
  }
  const lines = [...arrows.keys()].toSorted().map((arrow) => {
    const [source = '', target = ''] = arrow.split(' ')
    return `  ${node(source)} ${arrows.get(arrow) ? '-->' : '-.->'} ${node(target)}`
  })
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n')
}

/** A name with a dot or slash needs an id without. */
function node(name: string): string {
  return /[./]/.test(name) ? `${name.replace(/[./]/, '_')}["${name}"]` : name
}

const text = readFileSync(FILE, 'utf8')
const [before, rest = ''] = text.split(START)
const [, after] = rest.split(END)
if (before === undefined || after === undefined) throw new Error(`${FILE} has no place for the picture.`)
const current = `${before}${START}\n\n${draw()}\n\n${END}${after}`
if (process.argv.includes('--check')) {
  if (current !== text) {
    console.error('The picture of imports in docs/architecture.md is not current: npm run architecture')
    process.exit(1)
  }
} else writeFileSync(FILE, current)
