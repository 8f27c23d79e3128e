/** Places in a line of things that pass one by one, and who waits until the line has passed them. */
export function createMarks() {
  let passed = 0
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []
  return {
    /** Resolves when so many more have passed, at once for none. */
    async after(count: number) {
      if (count === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ at: passed + count, resolve })
      await promise
    },
    pass(count: number) {
      passed += count
      // Later waiters wait for at least as many.
      while (waiting[0] && waiting[0].at <= passed) waiting.shift()?.resolve()
    },
    /** Lets all go who wait. */
    release() {
      for (const { resolve } of waiting.splice(0)) resolve()
    },
  }
}
