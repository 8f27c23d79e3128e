// Makes JavaScript smaller and leaves each token in its line, so that stack traces name the right one. V8 keeps the source of all
// that it has loaded: comments and blanks are half of it, and one character beyond Latin-1 doubles what is left.

const BLANKS = /[ \t]+/y
const COMMENT = /\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\//y
const STRING = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y
/** From the slash to the flags. */
const REGEXP = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y
/** To the end of a template, or of its part before a value. */
// linear: it is sticky, and no two alternatives begin with the same character. Its text is code, ours and that of packages.
const TEMPLATE = /(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y
/** None of the above begins within it. */
const WORD = /[^\s/'"`{}]+/y
/** A slash after it divides; any other begins a regular expression. */
const OPERAND_END = /(?:[\w$)\]}'"`]|\+\+|--)$/
const OPERATOR = /(?<![\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield|instanceof)$/
/** They join with nothing that stands beside them. */
const APART = '{}()[],;:=\n'

/** @returns the same program without comments and needless blanks, and with escapes for what Latin-1 lacks in its strings */
export function compact(text) {
  return new Compactor(text).run()
}

class Compactor {
  #text
  #at = 0
  #pieces = []
  #last = '\n'
  /** Whether blanks or a comment stand before the next token. */
  #isBlank = false
  /** What each open brace began: a value in a template, or null for anything else. */
  #open = []

  constructor(text) {
    this.#text = text
  }

  run() {
    while (this.#at < this.#text.length) this.#step()
    return this.#pieces.join('')
  }

  #step() {
    if (this.#next(BLANKS)) this.#isBlank = true
    const comment = this.#next(COMMENT)
    if (comment) return this.#drop(comment)
    const char = this.#text[this.#at] ?? ''
    if (char === "'" || char === '"') return this.#add(escaped(this.#next(STRING) || this.#one()))
    if (char === '`') return this.#openTemplate(this.#last.endsWith('String.raw'))
    if (char === '}') return this.#close()
    if (char === '{') this.#open.push(null)
    const isRegExp = char === '/' && (!OPERAND_END.test(this.#last) || OPERATOR.test(this.#last))
    this.#add((isRegExp && this.#next(REGEXP)) || this.#next(WORD) || this.#one())
  }

  #drop(comment) {
    const lines = comment.replaceAll(/[^\n]+/g, '')
    if (lines) this.#add(lines)
    else this.#isBlank = true
  }

  #openTemplate(isRaw) {
    this.#add(this.#one())
    this.#addPart(isRaw)
  }

  #addPart(isRaw) {
    const part = this.#next(TEMPLATE)
    if (part.endsWith('{')) this.#open.push({ isRaw })
    this.#add(isRaw ? part : escaped(part))
  }

  #close() {
    this.#add(this.#one())
    const template = this.#open.pop()
    if (template) this.#addPart(template.isRaw)
  }

  #next(pattern) {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }

  #one() {
    return this.#text[this.#at++] ?? ''
  }

  #add(token) {
    if (token === '') return
    if (this.#isBlank && !APART.includes(this.#last.at(-1)) && !APART.includes(token[0])) this.#pieces.push(' ')
    this.#isBlank = false
    this.#pieces.push(token)
    this.#last = token
  }
}

/** For a string, or a part of a template that is not raw. A character after a backslash may need no escape itself. */
function escaped(token) {
  return token.replaceAll(/\\[^]|[^\0-\xff]/g, (found) => {
    const char = found.at(-1)
    if (char <= '\xff' || /^\\[\u2028\u2029]/.test(found)) return found
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
