import { make } from '../core/dom.js'
import { channelOf, memberOf, state } from '../core/store.js'
import { formatTime } from '../core/words.js'

const LONGEST = 6000
const DEEPEST = 3

/** Discord's marks, one at a time; what fits none stays text. Each is bounded by the line or by its own end. */
const MARKS = [
  { at: /\\([^a-zA-Z0-9\s])/y, draw: ([, plain]) => plain },
  {
    at: /```(?:[a-z0-9]+\n)?\n?([^`]+(?:`{1,2}[^`]+)*)```/y,
    draw: ([, block]) => make('pre', { tabIndex: 0 }, make('code', {}, block)),
  },
  { at: /`([^`\n]+)`/y, draw: ([, code]) => make('code', {}, code) },
  { at: /\*\*([^\n]+?)\*\*/y, draw: ([, inner], depth) => make('strong', {}, mark(inner, depth)) },
  { at: /__([^\n]+?)__/y, draw: ([, inner], depth) => make('u', {}, mark(inner, depth)) },
  { at: /~~([^\n]+?)~~/y, draw: ([, inner], depth) => make('s', {}, mark(inner, depth)) },
  { at: /\|\|([^\n]+?)\|\|/y, draw: ([, inner], depth) => spoiler(mark(inner, depth)) },
  { at: /\*([^*\n]+)\*/y, draw: ([, inner], depth) => make('em', {}, mark(inner, depth)) },
  { at: /\b_([^_\n]+)_\b/y, draw: ([, inner], depth) => make('em', {}, mark(inner, depth)) },
  {
    at: /\[([^\]\n]+)\]\(<?(https?:\/\/[^)\s>]+)>?\)/y,
    draw: ([, label, href], depth) => link(href, mark(label, depth)),
  },
  { at: /<(https?:\/\/[^\s>]+)>/y, draw: ([, href]) => link(href, href) },
  { at: /https?:\/\/[^\s<>)\]]+/y, draw: ([href]) => link(href, href) },
  { at: /<@!?(\d{1,20})>/y, draw: ([, id]) => mention(`@${memberOf(id)?.name ?? id}`) },
  {
    at: /<@&(\d{1,20})>/y,
    draw: ([, id]) => mention(`@${state.guild.roles.find((one) => one.id === id)?.name ?? id}`),
  },
  { at: /<#(\d{1,20})>/y, draw: ([, id]) => mention(`#${channelOf(id)?.name ?? id}`) },
  { at: /<\/([^:>\n]{1,100}):\d{1,20}>/y, draw: ([, name]) => mention(`/${name}`) },
  { at: /<a?:(\w{1,32}):\d{1,20}>/y, draw: ([, name]) => `:${name}:` },
  { at: /<t:(-?\d{1,12})(?::(\w))?>/y, draw: ([, seconds, style]) => time(Number(seconds) * 1000, style) },
]

/** Only at the beginning of a line. */
const LINES = [
  {
    at: /(#{1,3}) ([^\n]+)/y,
    draw: ([, level, inner], depth) => make('span', { className: `heading h${level.length}` }, mark(inner, depth)),
  },
  { at: /-# ([^\n]+)/y, draw: ([, inner], depth) => make('small', { className: 'quiet' }, mark(inner, depth)) },
  { at: />>> ([\s\S]+)/y, draw: ([, inner], depth) => make('blockquote', {}, mark(inner, depth)) },
  { at: /> ([^\n]+)\n?/y, draw: ([, inner], depth) => make('blockquote', {}, mark(inner, depth)) },
  { at: /[-*] ([^\n]+)/y, draw: ([, inner], depth) => make('span', { className: 'bullet' }, mark(inner, depth)) },
]

/** Characters that may begin markup: all text between them is copied at once. */
const BEGINS = /[\\`*_~|[<h]/g

/** Renders the text of a message as nodes. */
export function mark(text, depth = 0) {
  const whole = String(text ?? '').slice(0, LONGEST)
  if (depth > DEEPEST) return [whole]
  const nodes = []
  let at = 0
  let plainFrom = 0
  while (at < whole.length) {
    const isLineStart = at === 0 || whole[at - 1] === '\n'
    const found = (isLineStart && match(LINES, whole, at)) || match(MARKS, whole, at)
    if (found) {
      nodes.push(whole.slice(plainFrom, at), found.rule.draw(found.groups, depth + 1))
      at += found.groups[0].length
      plainFrom = at
    } else at = nextBegin(whole, at + 1)
  }
  return [...nodes, whole.slice(plainFrom)].filter((node) => node !== '')
}

function match(rules, text, at) {
  for (const rule of rules) {
    rule.at.lastIndex = at
    const groups = rule.at.exec(text)
    if (groups) return { rule, groups }
  }
  return null
}

function nextBegin(text, from) {
  BEGINS.lastIndex = from
  const mark = BEGINS.exec(text)?.index ?? text.length
  const line = text.indexOf('\n', from - 1)
  return line < 0 ? mark : Math.min(mark, line + 1)
}

export const link = (href, ...children) => make('a', { href, target: '_blank', rel: 'noreferrer' }, ...children)

const mention = (text) => make('span', { className: 'mention' }, text)

const time = (ms, style) => make('time', { dateTime: new Date(ms).toISOString() }, formatTime(ms, style))

function spoiler(children) {
  const element = make('button', { type: 'button', className: 'spoiler', aria: { expanded: false } }, children)
  element.addEventListener('click', () => element.setAttribute('aria-expanded', 'true'))
  return element
}
