// The rows of a queue as far as they are known: pages are fetched where they are looked at, and changes come by the stream.
const PAGE = 100
const RETRY_MS = 150
const MOST_TRIES = 8

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The rows, each with an `id`, with the pending changes of this page applied. */
export class QueueRows {
  #load
  #loadIds
  #version
  #rows
  #onChange
  #view = null
  #operations = []
  #loading = new Set()

  /**
   * @param load fetches `{ version, total, from, rows }` from a place on, null if it cannot; `loadIds` all numbers; `onChange` is
   * called when other rows are to be shown.
   */
  constructor({ load, loadIds, version, total, onChange }) {
    this.#load = load
    this.#loadIds = loadIds
    this.#onChange = onChange
    this.#reset(version, total)
  }

  /** The queue that the rows are of. */
  get version() {
    return this.#version
  }

  /** Rows to show; undefined if a row is not known yet. */
  get view() {
    this.#view ??= this.#operations.reduce((shown, { change }) => change(shown), this.#rows)
    return this.#view
  }

  /** Rows from a place on. */
  fill(from, rows) {
    // Known rows keep their elements.
    for (const [at, row] of rows.entries()) this.#rows[from + at] ??= row
    this.#view = null
  }

  /** Fetches missing rows of a range. */
  want(from, to) {
    if (!this.view.slice(from, to).includes(undefined)) return
    for (let at = from; at < to; at += 1) if (!this.#rows[at]) void this.#fetch(Math.floor(at / PAGE) * PAGE)
  }

  /** Applies a message of the stream. */
  apply(message) {
    const isKnown = message.version === this.#version && message.total === this.#rows.length
    if (message.isWhole || message.before !== this.#version) {
      if (!isKnown) this.#reset(message.version, message.total)
      // Some senders bring the first rows with it.
      if (message.rows) this.fill(message.from, message.rows)
    } else {
      const taken = new Map(message.out.map((at) => [at, this.#rows[at]]))
      const rows = this.#rows.filter((_, at) => !taken.has(at))
      for (const [at, what] of message.in) rows.splice(at, 0, typeof what === 'number' ? taken.get(what) : what)
      this.#rows = rows
      this.#version = message.version
    }
    this.#settle()
  }

  /** Shows a change before the service has made it. @returns a function for the version that has it; 0: none will. */
  begin(change) {
    const operation = { change, version: undefined }
    this.#operations.push(operation)
    this.#changed()
    return (version) => {
      operation.version = version ?? 0
      this.#settle()
    }
  }

  /** The numbers of all of them, which takes a request while some are not known. */
  async ids() {
    if (!this.view.includes(undefined)) return this.view.map(({ id }) => id)
    return this.#loadIds()
  }

  #reset(version, total) {
    this.#version = version
    this.#rows = Array.from({ length: total })
  }

  #settle() {
    this.#operations = this.#operations.filter(({ version }) => version === undefined || version > this.#version)
    this.#changed()
  }

  #changed() {
    this.#view = null
    this.#onChange()
  }

  async #fetch(from) {
    if (this.#loading.has(from)) return
    this.#loading.add(from)
    try {
      await this.#fetchPage(from)
    } catch {
      await wait(RETRY_MS * MOST_TRIES)
    } finally {
      this.#loading.delete(from)
      this.#changed()
    }
  }

  async #fetchPage(from) {
    for (let tries = 1; ; tries += 1) {
      const page = await this.#load(from)
      if (page === null) return
      if (page.version !== this.#version && tries === MOST_TRIES) this.#reset(page.version, page.total)
      if (page.version === this.#version) return this.fill(page.from, page.rows)
      // One of the two is ahead of the other: the stream will tell.
      await wait(RETRY_MS)
    }
  }
}

/** Moves rows so that the first of them comes to `to`, from 1, as the service does. */
export function moved(ids, to) {
  return (rows) => {
    const some = rows.filter((row) => row && ids.has(row.id))
    return rows.filter((row) => !row || !ids.has(row.id)).toSpliced(to - 1, 0, ...some)
  }
}

export function removed(ids) {
  return (rows) => rows.filter((row) => !row || !ids.has(row.id))
}
