// The rows of a list that are selected, and the bar that says how many: Shift selects a range.
const numbers = new Intl.NumberFormat(document.documentElement.lang)

export class Selection {
  #bar
  #total
  #onChange
  #chosen = new Set()
  #anchor = null

  /** @param total returns the number of rows that can be selected; `onChange` shows the selection. */
  constructor(bar, { total, onChange }) {
    this.#bar = bar
    this.#total = total
    this.#onChange = onChange
  }

  get ids() {
    return new Set(this.#chosen)
  }

  get size() {
    return this.#chosen.size
  }

  has(id) {
    return this.#chosen.has(id)
  }

  toggle(id, isOn = !this.#chosen.has(id)) {
    this.#chosen[isOn ? 'add' : 'delete'](id)
    this.#anchor = id
    this.changed()
  }

  only(id) {
    this.#chosen.clear()
    this.toggle(id, true)
  }

  none() {
    this.#chosen.clear()
    this.changed()
  }

  /** Selects the range from the row chosen last to this one. @param ids of all rows, in their order. */
  extendTo(id, ids) {
    const [from, to] = [ids.indexOf(this.#anchor ?? id), ids.indexOf(id)]
    this.#anchor ??= id
    this.all(ids.slice(Math.max(Math.min(from, to), 0), Math.max(from, to) + 1))
  }

  all(ids) {
    for (const id of ids) this.#chosen.add(id)
    this.changed()
  }

  /** Deselects rows that have gone. @param ids of those that are there. */
  keep(ids) {
    const there = new Set(ids)
    const gone = [...this.#chosen].filter((id) => !there.has(id))
    for (const id of gone) this.#chosen.delete(id)
    if (gone.length > 0) this.changed()
  }

  /** Shows the selection. */
  changed() {
    const { size } = this.#chosen
    const count = this.#bar.querySelector('[data-selected]')
    const all = this.#bar.querySelector('[data-select-all]')
    count.textContent = size > 0 ? count.dataset.selected.replace('0', numbers.format(size)) : ''
    all.checked = size > 0 && size >= this.#total()
    all.indeterminate = size > 0 && !all.checked
    for (const control of this.#bar.querySelectorAll('[data-bulk], [data-to]')) control.disabled = size === 0
    this.#onChange()
  }

  /** Lets the box of the bar select all rows or none. @param ids returns those of all, which may take a request. */
  open(ids) {
    const all = this.#bar.querySelector('[data-select-all]')
    all.addEventListener('change', async () => (all.checked ? this.all(await ids()) : this.none()))
    this.changed()
  }
}
