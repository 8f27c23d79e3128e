/*
 * Functions that run inside pages: each is sent there as text, so it may use nothing outside itself. Types of the DOM
 * are not among the service's; what little is used of it is declared here.
 */

interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Element {
  readonly tagName: string
  readonly id: string
  readonly classList: Iterable<string>
  readonly innerText?: string
  readonly complete?: boolean
  readonly offsetParent?: Element | null
  readonly parentElement: Element | null
  readonly shadowRoot: Tree | null
  readonly style: { setProperty(name: string, value: string, priority: string): void }
  loading?: string
  contains(other: Element | null): boolean
  getBoundingClientRect(): Rect
  addEventListener(event: string, listener: () => void, options: object): void
}

/** A document, or what an element has in the shadow. */
interface Tree {
  querySelectorAll(selector: string): Iterable<Element>
}

interface StyleSheet {
  replaceSync(text: string): void
}

interface Window {
  readonly innerHeight: number
  readonly scrollX: number
  readonly scrollY: number
  readonly visualViewport: { readonly scale: number }
  readonly document: Tree & {
    readonly documentElement: (Element & { readonly scrollHeight: number }) | null
    readonly body: Element | null
    adoptedStyleSheets: readonly StyleSheet[]
    readonly readyState: 'loading' | 'interactive' | 'complete'
    readonly images: Iterable<Element>
    readonly scripts: { readonly length: number }
    readonly fonts: { readonly ready: Promise<unknown>; readonly status: 'loaded' | 'loading' }
    querySelector(selector: string): Element | null
    addEventListener(event: string, listener: () => void): void
  }
  scrollTo(options: { readonly top: number; readonly left: number; readonly behavior: 'instant' }): void
  getComputedStyle(element: Element): Record<'bottom' | 'height' | 'overflowY' | 'position', string>
  requestAnimationFrame(run: () => void): void
}

/**
 * Waits for a document that has just taken the place of another, for fonts, and for what scripts draw first.
 * @returns whether scripts may still be about to change the page.
 */
export async function untilPainted({ withinMs }: { readonly withinMs: number }): Promise<boolean> {
  const page = globalThis as unknown as Window
  const { document } = page
  const { fonts, scripts } = document
  const isComplete = () => document.readyState === 'complete'
  if (isComplete() && fonts.status === 'loaded' && scripts.length === 0) return false
  const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs))
  const complete = new Promise<void>((resolve) => {
    const look = () => isComplete() && resolve()
    document.addEventListener('readystatechange', look)
    look()
  })
  await Promise.race([complete, late])
  await Promise.race([fonts.ready, late])
  const frame = () => new Promise<void>((resolve) => page.requestAnimationFrame(() => resolve()))
  await Promise.race([frame().then(frame), late])
  return scripts.length > 0
}

/** Brings every part of the page into view once, so that what loads late does load, and waits for its pictures. */
export async function showAll({ maxHeight, withinMs }: { readonly maxHeight: number; readonly withinMs: number }) {
  const page = globalThis as unknown as Window
  const { document } = page
  const endMs = performance.now() + withinMs
  for (const it of document.querySelectorAll('img[loading=lazy], iframe[loading=lazy]')) it.loading = 'eager'
  // Without scripts nothing reacts to what comes into view.
  const maxTop = document.scripts.length > 0 ? maxHeight : 0
  const heightOf = () => Math.min(document.documentElement?.scrollHeight ?? 0, maxTop)
  if (heightOf() > page.innerHeight) {
    for (let top = page.innerHeight; top < heightOf() && performance.now() < endMs; top += page.innerHeight) {
      page.scrollTo({ top, left: 0, behavior: 'instant' })
      // Intersection observers run once a frame.
      await new Promise<void>((resolve) => {
        page.requestAnimationFrame(() => resolve())
        setTimeout(resolve, 100)
      })
    }
    page.scrollTo({ top: 0, left: 0, behavior: 'instant' })
  }
  const pending = [...document.images].filter(({ complete }) => !complete)
  const settled = pending.map(
    (image) =>
      new Promise<void>((resolve) => {
        for (const event of ['load', 'error']) image.addEventListener(event, () => resolve(), { once: true })
      }),
  )
  const late = new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, endMs - performance.now())))
  await Promise.race([Promise.all(settled), late])
}

/** Hides what the selectors name, and lets the page scroll again that waited for an answer. */
export function hideBanners(selectorLines: string): number {
  const page = globalThis as unknown as Window
  const { document } = page
  const textOf = (element: Element | null) => element?.innerText?.length ?? 0
  const hidden = new Set<Element>()
  const find = (selector: string) => {
    try {
      return [...document.querySelectorAll(selector)]
    } catch {
      // A selector of another browser's dialect.
      return []
    }
  }
  for (const element of selectorLines.split('\n').flatMap(find)) {
    if (hidden.has(element) || element.contains(document.body)) continue
    // The element with most of the text is the page itself, not a banner.
    if (textOf(element) > 400 && textOf(element) > textOf(document.body) / 2) continue
    hidden.add(element)
    element.style.setProperty('display', 'none', 'important')
  }
  if (hidden.size === 0) return 0
  for (const root of [document.documentElement, document.body]) {
    if (!root) continue
    const { overflowY, position } = page.getComputedStyle(root)
    if (overflowY === 'hidden') root.style.setProperty('overflow', 'visible', 'important')
    if (position === 'fixed') root.style.setProperty('position', 'static', 'important')
  }
  return hidden.size
}

/** Classes and IDs of the elements of a page, up to `most` of each kind. */
export function namesOf(most: number): { classes: string[]; ids: string[] } {
  const page = globalThis as unknown as Window
  const classes = new Set<string>()
  const ids = new Set<string>()
  for (const { id, classList } of page.document.querySelectorAll('[class], [id]')) {
    if (id && ids.size < most) ids.add(id)
    for (const name of classList) if (classes.size < most) classes.add(name)
  }
  return { classes: [...classes], ids: [...ids] }
}

/** Adds a style sheet that the page's content policy has no say in. */
export function addStyles(text: string): void {
  const page = globalThis as unknown as Window & { readonly CSSStyleSheet: new () => StyleSheet }
  const sheet = new page.CSSStyleSheet()
  sheet.replaceSync(text)
  page.document.adoptedStyleSheets = [...page.document.adoptedStyleSheets, sheet]
}

/** Rectangle of the first element that matches the selector, from the top left of the page. */
export function placeOf(selector: string): Rect | 'none' | 'invalid' {
  const page = globalThis as unknown as Window
  try {
    const place = page.document.querySelector(selector)?.getBoundingClientRect()
    if (!place) return 'none'
    return { x: place.x + page.scrollX, y: place.y + page.scrollY, width: place.width, height: place.height }
  } catch {
    return 'invalid'
  }
}

/**
 * Shows the page from its top, and each bar that stays in view once, at its edge: what is fixed in the lower half of the window goes
 * to the bottom of the page, and what sticks to the bottom of the window goes where it is in the page.
 */
export function placeBars({ maxHeight, withinMs }: { readonly maxHeight: number; readonly withinMs: number }): void {
  const page = globalThis as unknown as Window
  const { document, innerHeight } = page
  const endMs = performance.now() + withinMs
  page.scrollTo({ top: 0, left: 0, behavior: 'instant' })
  const rest = Math.min(document.documentElement?.scrollHeight ?? 0, maxHeight) - innerHeight
  if (rest <= 0) return
  // A picture keeps fixed elements at full size where a phone shows the page smaller.
  const below = rest * page.visualViewport.scale
  const scrollsWithPage = ({ parentElement: box }: Element): boolean => {
    if (box === null || box === document.body || box === document.documentElement) return true
    return ['visible', 'clip'].includes(page.getComputedStyle(box).overflowY) && scrollsWithPage(box)
  }
  const place = (element: Element): void => {
    const { position, bottom, height } = page.getComputedStyle(element)
    const set = (name: string, value: string) => element.style.setProperty(name, value, 'important')
    if (position === 'sticky' && bottom !== 'auto' && scrollsWithPage(element)) {
      set('position', 'relative')
      for (const edge of ['top', 'bottom', 'left', 'right']) set(edge, 'auto')
    }
    // Within a box that is transformed it is fixed to that.
    if (position !== 'fixed' || element.offsetParent || element.getBoundingClientRect().y < innerHeight / 2) return
    set('transition', 'none')
    set('height', height)
    set('top', 'auto')
    set('bottom', `${parseFloat(bottom) - below}px`)
  }
  const trees: Tree[] = [document]
  for (const tree of trees) {
    for (const element of tree.querySelectorAll('*')) {
      if (performance.now() > endMs) return
      if (element.shadowRoot) trees.push(element.shadowRoot)
      place(element)
    }
  }
}
