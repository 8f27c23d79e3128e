/** Clients that never say that they speak are heard after so long all the same. */
const UNANNOUNCED_MS = 200
/** One second of sound; what comes beyond is lost. */
const HELD_MAX = 50

/**
 * Holds a client's first packets back until the others have been told whose they are (op 5), which goes by TCP and
 * through another thread: libraries drop the sound of an SSRC that they do not know.
 */
export type Gate = ReturnType<typeof createGate>

export function createGate() {
  let held: (() => void)[] = []
  let isOpen = false
  let timer: NodeJS.Timeout | undefined

  function open(): void {
    clearTimeout(timer)
    isOpen = true
    const released = held
    held = []
    for (const deliver of released) deliver()
  }

  return {
    open,
    pass(deliver: () => void): void {
      if (isOpen) return deliver()
      timer ??= setTimeout(open, UNANNOUNCED_MS)
      if (held.length < HELD_MAX) held.push(deliver)
    },
    /** Forgets what it holds. */
    close() {
      clearTimeout(timer)
      held = []
    },
  }
}
