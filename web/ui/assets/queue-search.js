// A search in a queue shows the rows that have the typed words, each with its place in the whole queue.
import { QueueRows, removed } from './queue-rows.js'

const PAUSE_MS = 150
const field = document.querySelector('[data-find-in-queue]')
const count = document.querySelector('[data-hits]')

export class QueueSearch {
  #parts
  #text = ''
  #found = null
  /** Of the hits, by their numbers. */
  #places = new Map()
  /** @type {Promise<void> | null} */
  #asking = null
  #isDue = false

  /**
   * @param parts `list` shows the rows, `queue` has those of the whole queue; `load(find, from)` fetches `{ version, hits, from, rows }`,
   * null if it cannot; `say(count)` puts the number of hits into words, null if it is unknown; `onChange` is called when other
   * rows are to be shown.
   */
  constructor(parts) {
    this.#parts = parts
    let timer = 0
    field.addEventListener('input', () => {
      clearTimeout(timer)
      timer = setTimeout(() => this.#start(), PAUSE_MS)
    })
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || field.value === '') return
      event.preventDefault()
      field.value = ''
      this.#start()
    })
  }

  get isOn() {
    return this.#found !== null
  }

  /** Rows to show. */
  get rows() {
    return this.#found ?? this.#parts.queue
  }

  /** The place in the queue, from 0, of a row that is shown at a place. */
  placeAt(at, { id }) {
    return this.isOn ? (this.#places.get(id) ?? at) : at
  }

  /** The same by the number of the row, in the newest queue; -1 if it is gone. */
  async placeOf(id) {
    await this.#asking
    return this.isOn ? (this.#places.get(id) ?? -1) : this.rows.view.findIndex((row) => row?.id === id)
  }

  /** The numbers of all rows to show. */
  async ids() {
    return this.isOn ? [...this.#places.keys()] : this.rows.ids()
  }

  /** Searches again if the queue is another one. */
  follow() {
    if (this.isOn && this.#parts.queue.version !== this.#found.version) this.refresh()
  }

  refresh() {
    this.#isDue = true
    this.#asking ??= this.#ask().finally(() => (this.#asking = null))
  }

  /** Shows some hits no more, ahead of the service. */
  hide(ids) {
    this.#found?.begin(removed(ids))
  }

  #start() {
    this.#text = field.value.trim()
    this.#parts.list.scrollTop = 0
    this.refresh()
  }

  async #ask() {
    while (this.#isDue) {
      this.#isDue = false
      const text = this.#text
      const page = text === '' ? null : await this.#load(text, 0)
      if (text === this.#text) this.#show(text, page)
      else this.#isDue = true
    }
  }

  async #load(text, from) {
    const page = await this.#parts.load(text, from).catch(() => null)
    return page && { ...page, total: page.hits.length }
  }

  #show(text, page) {
    const { version, total, rows, hits } = page ?? { version: 0, total: 0, rows: [], hits: [] }
    const { list, say, onChange } = this.#parts
    this.#places = new Map(hits.map(([place, id]) => [id, place]))
    this.#found =
      text === '' ? null : new QueueRows({ load: (from) => this.#load(text, from), version, total, onChange })
    this.#found?.fill(0, rows)
    list.classList.toggle('searched', this.isOn)
    count.textContent = this.isOn ? say(page && total) : ''
    onChange()
  }
}
