/** The listeners of each topic. An error that a listener throws is reported, and the others are still called. */
export type Topics = ReturnType<typeof createTopics>

export function createTopics(onError: (error: unknown) => void) {
  const listeners = new Map<string, Set<(key: string | null) => void>>()

  /** @param key null: any may have changed */
  function tell(topic: string, key: string | null): void {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener(key)
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    subscribe(topic: string, listener: (key: string | null) => void): () => void {
      const own = listeners.get(topic) ?? new Set()
      listeners.set(topic, own.add(listener))
      return () => own.delete(listener)
    },
    tell,
    tellAll: (): void => [...listeners.keys()].forEach((topic) => tell(topic, null)),
  }
}

/** A change announced within a transaction; listeners are called after it. */
export interface Announcement {
  readonly topic: string
  readonly key: string | null
}
