/** A change that all clients of a channel take at one time: announced (op 21, 29, 30), confirmed (op 23), done (op 22). */
export type Transitions = ReturnType<typeof createTransitions>

interface Open {
  readonly id: number
  readonly waitingFor: Set<string>
  readonly execute: (id: number) => void
  readonly timer: NodeJS.Timeout
}

const MAX_ID = 0xffff

export function createTransitions(timeoutMs: number) {
  let lastId = 0
  let open: Open | null = null

  function execute(): void {
    if (!open) return
    const { id, timer, execute: run } = open
    clearTimeout(timer)
    open = null
    run(id)
  }

  function settle(userId: string): void {
    if (open?.waitingFor.delete(userId) && open.waitingFor.size === 0) execute()
  }

  return {
    get isOpen(): boolean {
      return open !== null
    },
    /** Opens a transition and gives its id (never 0). One that is still open is executed first. */
    begin(change: { readonly waitFor: Iterable<string>; readonly execute: (id: number) => void }): number {
      execute()
      lastId = (lastId % MAX_ID) + 1
      const timer = setTimeout(execute, timeoutMs)
      open = { id: lastId, waitingFor: new Set(change.waitFor), execute: change.execute, timer }
      return lastId
    },
    /** Op 23. The last one awaited executes the transition; so does the time-out. */
    confirm(userId: string, id: number) {
      if (open?.id === id) settle(userId)
    },
    /** Nothing will come from this user any more. */
    forget: settle,
    close() {
      clearTimeout(open?.timer)
      open = null
    },
  }
}
