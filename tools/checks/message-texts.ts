// Reads what the program says outside its words files: errors, help of the command line, and log messages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { listFiles, root } from './imports.ts'
import { isNode, isWordsFile, textOf, TYPES, type Node, type ProgramText } from './words-files.ts'

interface MessageText extends ProgramText {
  readonly kind: 'message' | 'log'
}

const PRODUCT = /^(?:api|bot|db|jobs|lib|packages\/sandbox|service|upstream|web)\/.*\.ts$|^(?:main|config)\.ts$/
/** Tests, and the help of the Lavalink node, which is a table. */
const LEFT_OUT = /^(?:packages\/sandbox\/test|service\/lavalink-node)\//
const LOG_LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error', 'fatal'])
const HELP: ReadonlySet<string> = new Set(['description', 'argument', 'option', 'addHelpText', 'Option', 'Argument'])
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|WITH)\b| = \?/

/** All in English, since members' and readers' languages are in words files. */
export function readMessageTexts(): readonly MessageText[] {
  return listFiles('*.ts')
    .filter((file) => PRODUCT.test(file) && !LEFT_OUT.test(file) && !isWordsFile(file))
    .flatMap(messagesIn)
}

function messagesIn(file: string): readonly MessageText[] {
  const source = readFileSync(join(root, file), 'utf8')
  const found: MessageText[] = []
  const add = (node: Node, text: string, kind: MessageText['kind']): void => {
    const line = source.slice(0, node.start).split('\n').length
    found.push({ file, line, language: 'en', text, kind })
  }
  const visit = (value: unknown, isHelp: boolean): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, isHelp)
      return
    }
    if (!isNode(value) || TYPES.test(value.type)) return
    const text = textOf(value)
    if (text !== null) {
      if ((isHelp && isHelpText(text)) || isSentence(text)) add(value, text, 'message')
      if (value.type !== 'TemplateLiteral') return
    }
    const [log, rest] = logMessage(value)
    if (log) add(log, textOf(log) ?? '', 'log')
    const isHelpCall = file.startsWith('service/admin/') && HELP.has(calleeOf(value))
    for (const child of rest) visit(child, isHelpCall)
  }
  visit(parseSync(file, source).program.body, false)
  return found
}

/** The message of a call of a logger, and the other parts of the node; without one, all of them. */
function logMessage(node: Node): readonly [Node | null, readonly unknown[]] {
  const parts = Object.entries(node).flatMap(([name, child]) =>
    name === 'key' && node.type === 'Property' ? [] : [child],
  )
  if (node.type !== 'CallExpression' || !LOG_LEVELS.has(calleeOf(node)) || !isLogger(node['callee']))
    return [null, parts]
  const given = node['arguments'] as readonly unknown[]
  const message = given.find((each): each is Node => isNode(each) && textOf(each) !== null)
  return message ? [message, given.filter((each) => each !== message)] : [null, parts]
}

/** The name of what a node calls or builds; of a method, its own. */
function calleeOf(node: Node): string {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return ''
  return nameOf(node['callee'])
}

function isLogger(callee: unknown): boolean {
  return isNode(callee) && callee.type === 'MemberExpression' && /log(?:ger)?$/i.test(nameOf(callee['object']))
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Identifier' || value.type === 'PrivateIdentifier') return String(value['name'])
  return value.type === 'MemberExpression' ? nameOf(value['property']) : ''
}

/** A whole sentence is for people, in an error, an answer or on a screen. */
function isSentence(text: string): boolean {
  return /^\p{Lu}/u.test(text) && text.includes(' ') && /[.!?…]$/.test(text) && !SQL.test(text)
}

/** Not the name of an argument, or the flags of an option. */
function isHelpText(text: string): boolean {
  return text.includes(' ') && !/^[-<[]/.test(text)
}
