// A long list: only the rows that are seen, and a few around them, are in the page.
const OVERSCAN = 6

export class VirtualList {
  #list
  #parts
  #elements = new WeakMap()
  #rowHeight = 0
  #preview = null
  /** The number of the row that Tab comes to. */
  active = null

  /**
   * @param parts `rows()` are all of them in their order, undefined where one is not known yet; `want(from, to)` fetches those;
   * `make(row)` makes the element of a row; `place(element, at, row)` tells it where it is; `placeholder()` stands for an unknown one.
   */
  constructor(list, parts) {
    this.#list = list
    this.#parts = parts
    let isDue = false
    list.addEventListener('scroll', () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        this.render()
      })
    })
    new ResizeObserver(() => {
      this.#rowHeight = 0
      this.render()
    }).observe(list)
  }

  /** The rows in the order in which they are shown. */
  get shown() {
    const all = this.#parts.rows()
    if (!this.#preview || this.#preview.from === this.#preview.to) return all
    const { from, to } = this.#preview
    return all.toSpliced(from, 1).toSpliced(to, 0, all[from])
  }

  indexOf(id) {
    return this.shown.findIndex((row) => row?.id === id)
  }

  elementOf(row) {
    const element = this.#elements.get(row) ?? this.#parts.make(row)
    this.#elements.set(row, element)
    return element
  }

  /** Takes an element that is in the page already. */
  adopt(row, element) {
    this.#elements.set(row, element)
  }

  render() {
    const list = this.#list
    const all = this.shown
    list.hidden = all.length === 0
    if (all.length === 0) return list.replaceChildren()
    if (this.#measure() === 0) return this.#showFirst(all)
    const height = this.#rowHeight
    list.classList.add('virtual')
    list.style.setProperty('--height', `${all.length * height}px`)
    const first = Math.max(0, Math.floor(list.scrollTop / height) - OVERSCAN)
    const last = Math.min(all.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + OVERSCAN)
    this.#parts.want(first, last)
    if (!all.some((row) => row?.id === this.active)) this.active = all.slice(first, last).find(Boolean)?.id ?? null
    const focused = document.activeElement
    const held = all.findIndex((row) => row && this.#elements.get(row)?.contains(focused))
    const wanted = Array.from({ length: Math.max(last - first, 0) }, (_, at) => first + at)
    if (held !== -1 && (held < first || held >= last)) wanted[held < first ? 'unshift' : 'push'](held)
    this.#show(wanted.map((at) => this.#put(at, all[at])))
    if (focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true })
  }

  /** Scrolls a row into sight and puts the focus on one of its controls. */
  focusOn(at, selector) {
    const list = this.#list
    const all = this.shown
    const to = Math.min(Math.max(at, 0), all.length - 1)
    if (to < 0) return list.focus()
    const [top, bottom] = [to * this.#rowHeight, (to + 1) * this.#rowHeight]
    if (top < list.scrollTop) list.scrollTop = top
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
    this.active = all[to]?.id ?? this.active
    this.render()
    const element = all[to] && this.elementOf(all[to])
    const control = element?.querySelector(selector) ?? element?.querySelector('input, button') ?? list
    control.focus({ preventScroll: true })
  }

  /** Row functions for `makeSortable`. */
  get sortable() {
    return {
      indexOf: (element) => this.indexOf(Number(element.dataset.id)),
      count: () => this.#parts.rows().length,
      indexAt: (y) => Math.floor((y - this.#list.getBoundingClientRect().top + this.#list.scrollTop) / this.#rowHeight),
      show: (from, to) => {
        this.#preview = { from, to }
        this.render()
      },
      focus: (at) => this.focusOn(at, '[data-handle]'),
    }
  }

  /** Ends a move. */
  settle() {
    this.#preview = null
  }

  #measure() {
    this.#rowHeight ||= this.#list.querySelector('li')?.offsetHeight ?? 0
    return this.#rowHeight
  }

  /** Renders a first row alone to measure the row height. */
  #showFirst(all) {
    const known = all.find(Boolean)
    if (!known) return this.#parts.want(0, 1)
    this.#list.replaceChildren(this.elementOf(known))
    if (this.#measure() > 0) this.render()
  }

  #put(at, row) {
    const element = row ? this.elementOf(row) : this.#parts.placeholder()
    element.style.top = `${at * this.#rowHeight}px`
    element.setAttribute('aria-posinset', String(at + 1))
    element.setAttribute('aria-setsize', String(this.#parts.rows().length))
    if (!row) return element
    this.#parts.place(element, at, row)
    const tabIndex = row.id === this.active ? 0 : -1
    for (const control of element.querySelectorAll('input, button')) {
      if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex
    }
    return element
  }

  /** Puts the elements in order and moves only misplaced ones. */
  #show(wanted) {
    const list = this.#list
    const keep = new Set(wanted)
    for (const element of Array.from(list.children)) if (!keep.has(element)) element.remove()
    for (const [at, element] of wanted.entries()) {
      if (list.children[at] !== element) list.insertBefore(element, list.children[at] ?? null)
    }
  }
}
