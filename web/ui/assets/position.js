import { clock } from './clock.js'

/** The bar of where a track is: it moves on between two messages about the track, and stays with the hand that holds it. */
export function openPosition(seek) {
  const bar = seek.querySelector('input[type="range"]')
  const [at, length] = ['[data-at]', '[data-length]'].map((it) => seek.querySelector(it))
  let known = { ms: Number(bar.value), rate: 0, atMs: performance.now() }
  let lengthMs = Number(bar.max)
  let isHeld = false

  function now() {
    const ms = known.ms + (performance.now() - known.atMs) * known.rate
    return lengthMs > 0 ? Math.min(ms, lengthMs) : ms
  }
  function show() {
    const ms = isHeld ? Number(bar.value) : now()
    if (!isHeld) bar.value = String(ms)
    at.textContent = clock(ms)
    bar.setAttribute('aria-valuetext', `${clock(ms)} / ${length.textContent}`)
  }
  return {
    bar,
    now,
    show,
    isHeld: () => isHeld,
    hold() {
      isHeld = true
      show()
    },
    letGo: () => void (isHeld = false),
    /** @param rate how many milliseconds of the track pass in one; as it was by default. */
    moveTo(ms, rate = known.rate) {
      known = { ms, rate, atMs: performance.now() }
      show()
    },
    /** @param words in place of the length, of what has none. */
    setLength(ms, words = clock(ms)) {
      lengthMs = ms
      bar.max = String(ms || 1)
      length.textContent = words
      show()
    },
  }
}
