interface Closable {
  close(): unknown
}

/**
 * Call it at the top of a `describe`: everything passed to the returned function is closed after the test, the last
 * first; after all tests of the `describe` with `after`.
 */
export function closing(when: Mocha.HookFunction = afterEach): <T extends Closable>(it: T) => T {
  const open: Closable[] = []
  when(async () => {
    for (const it of open.splice(0).toReversed()) await it.close()
  })
  return (it) => {
    open.push(it)
    return it
  }
}
