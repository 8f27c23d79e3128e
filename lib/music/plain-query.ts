/** Pairs that chats and text editors put around an address: quotes, brackets, and the marks of Discord's Markdown. */
const PAIRS: ReadonlyMap<string, string> = new Map(
  [
    '<>',
    '()',
    '[]',
    '{}',
    '«»',
    '»«',
    '‹›',
    '「」',
    '『』',
    '（）',
    '【】',
    '＜＞',
    '""',
    "''",
    '``',
    '“”',
    '””',
    '„“',
    '‘’',
    '’’',
    '‚‘',
  ]
    .concat(['＂＂', '**', '__', '~~', '||'])
    .map(([first = '', last = '']) => [first, last] as const),
)
/** The quotes of some languages end as those of others begin. */
const QUOTES_AT_END = new Set(['”', '“', '’', '"'])
/** Marks within marks. */
const DEPTH_MAX = 12
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i

/**
 * Strips everything around an address in a query, as `<https://…>`, `"https://…"`, `[title](https://…)` or characters
 * without width. Words are left as they are.
 */
export function plainQuery(query: string): string {
  const text = query.trim()
  if (!text.includes('://')) return text
  let found = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').trim()
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const inside = insideOf(found)
    if (inside === found) break
    found = inside
  }
  return ADDRESS.test(found) ? found : text
}

function insideOf(text: string): string {
  const [, linked] = /^\[[^\]]*\]\(\s*(\S+?)(?:\s+["'(][^"')]*["')])?\s*\)$/.exec(text) ?? []
  if (linked !== undefined) return linked
  const [first = '', last = ''] = [text[0], text.at(-1)]
  const isPair = PAIRS.get(first) === last || (PAIRS.has(first) && QUOTES_AT_END.has(first) && QUOTES_AT_END.has(last))
  if (isPair && text.length > 1) {
    const inside = text.slice(1, -1).trim()
    // Chats that know `<address|label>`.
    const [address = ''] = inside.split('|', 1)
    return first === '<' && ADDRESS.test(address) ? address : inside
  }
  // Half of a pair: no address has these as they are.
  if (/^[<>"“”„«»`]/.test(text)) return text.slice(1)
  return /[,;<>"“”„«»`]$/.test(text) ? text.slice(0, -1) : text
}
