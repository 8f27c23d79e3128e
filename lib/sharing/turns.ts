/**
 * Lets one task run at a time, in the order they came; the next one runs even if one failed, whose caller gets the error.
 * Not p-queue: it would run a task in the request context of the previous one, with that one's log fields and budget.
 */
export function createTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => undefined)
    return mine
  }
}
