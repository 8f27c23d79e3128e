/** What may be sent in a day that begins at midnight in UTC. */
export function createDailyBudget({ perDay, date }: { readonly perDay: number; readonly date: () => number }) {
  let day = ''
  let used = 0
  let isClosed = false
  const today = () => {
    const now = new Date(date()).toISOString().slice(0, 10)
    if (now === day) return
    day = now
    used = 0
    isClosed = false
  }
  const remaining = (): number => {
    today()
    return isClosed ? 0 : perDay - used
  }
  return {
    remaining,
    /** Whole or not at all. */
    take(count: number): boolean {
      if (count > remaining()) return false
      used += count
      return true
    },
    /** Marks today's budget as used up. Returns true for the first call of the day. */
    close(): boolean {
      today()
      const isFirst = !isClosed
      isClosed = true
      return isFirst
    },
  }
}
