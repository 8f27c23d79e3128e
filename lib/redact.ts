/** Patterns of secrets inside a text, and their replacements. */
const SHAPES: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  // A key of ours.
  [/svc\.[0-9a-f]{64}/g, 'svc.…'],
  // The secret that signs messages of webhooks.
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  // The token of a bot.
  [/[\w.-]+/g, (words) => (words.split('.').some(isTokenAt) ? '…' : words)],
  // Name and password in an address.
  [/:\/\/[^/@\s"']+@/g, '://…@'],
  // Discord's tokens for answering one command, and for posting to a channel.
  [/\/(webhooks|interactions)\/(\d+)\/[^/\s"?]+/g, '/$1/$2/…'],
  // Values in a query whose names say that they are secret.
  [/[?&][^&\s"']+/g, withoutSecretValue],
]

/** Neither "author" nor "design" names a secret; "authorization" and "signature" do. */
const SECRET_NAME = /key|token|sig(?!n(?!atur)|h)|secret|auth(?!or(?!i[sz]))|pass|credential|cookie|session|appid/i
/** Such a name in a text, and what gives it a value. */
const ASSIGNED =
  /(?:key|token|sig(?!n(?!atur)|h)|secret|auth(?!or(?!i[sz]))|pass|credential|cookie|session|appid)[\w-]{0,40}[\\"']{0,4}\s{0,9}[:=]/i
/** Every pattern has one of these; most texts are short and have none. */
const HINT = /[.:/?&_]/

/** Whether a value under this name is left out, even where it looks harmless. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** A text of no known syntax, up to the first value whose name says that it is secret: nothing says where that ends. */
export function withoutAssignedSecrets(text: string): string {
  const found = ASSIGNED.exec(text)
  return found ? `${text.slice(0, found.index + found[0].length)} …` : text
}

/** A text for the log: what is one of the `known` secrets, or looks like any, is left out of it. */
export function redact(text: string, known: readonly string[] = []): string {
  if (known.length === 0 && !HINT.test(text)) return text
  const left = known.reduce((all, secret) => all.replaceAll(secret, '…'), text)
  return SHAPES.reduce(
    (all, [shape, instead]) =>
      typeof instead === 'string' ? all.replace(shape, instead) : all.replace(shape, instead),
    left,
  )
}

const ESCAPE = /%[0-9a-f]{2}/i
const ESCAPES = /%[0-9a-f]{2}/gi
/** Rounds of undoing a path's escapes. Only people who hide something escape more often. */
const MAX_ESCAPED = 3

/** A path for the log. A secret does not belong into one, but some put it there, and escape it. */
export function redactPath(path: string): string {
  // Looking closer costs, so only a hint of one is reason to.
  if (!path.includes('svc.') && !path.includes('%')) return path
  let plain = path
  for (let round = 0; round < MAX_ESCAPED; round += 1) plain = plain.replaceAll(ESCAPES, unescaped)
  if (ESCAPE.test(plain)) return '/…'
  const clean = redact(plain)
  return clean === plain ? path : clean
}

function unescaped(escape: string): string {
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
}

/** Whether the parts of a text between its dots are those of a bot's token from this one on: id, time, signature. */
function isTokenAt(id: string, at: number, parts: readonly string[]): boolean {
  const [time = '', signature = ''] = parts.slice(at + 1, at + 3)
  return id.length >= 23 && time.length >= 6 && time.length <= 7 && signature.length >= 27
}

/** One part of a query, whose value may hold an address with a query of its own. */
function withoutSecretValue(part: string): string {
  for (const { 0: name, index } of part.matchAll(/[?&][^?&=]*=/g))
    if (SECRET_NAME.test(name)) return `${part.slice(0, index + name.length)}…`
  return part
}
