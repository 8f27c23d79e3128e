import type { Store } from '../store.ts'

interface FollowOptions {
  readonly store: Pick<Store, 'subscribe'>
  /** Announcements of this topic trigger another read. */
  readonly topic: string
  readonly onError: (error: unknown) => void
}

/** Reads at once, and again after each change of the topic; while that fails, the last value stays. */
export async function follow<T>({ store, topic, onError }: FollowOptions, read: () => Promise<T>) {
  let asked = 0
  async function refresh(): Promise<void> {
    const mine = ++asked
    const fresh = await read()
    // If two reads overlap, only the later one counts.
    if (mine === asked) value = fresh
  }
  const close = store.subscribe(topic, () => void refresh().catch(onError))
  let value = await read()
  return {
    get value() {
      return value
    },
    close,
  }
}
