/** Waiting work of many owners; each owner's own in order, the owners by turns. */
export interface Turns<T> {
  readonly size: number
  add(owner: string, item: T): void
  /** The next one up, of the owner who has waited longest for a turn. */
  take(): T | undefined
  /** Whether it was still waiting. */
  remove(owner: string, item: T): boolean
}

export function createTurns<T>(): Turns<T> {
  // A map keeps its order: the owner who had a turn goes to the end.
  const lines = new Map<string, T[]>()
  return {
    get size() {
      let count = 0
      for (const line of lines.values()) count += line.length
      return count
    },
    add(owner, item) {
      const line = lines.get(owner)
      if (line) line.push(item)
      else lines.set(owner, [item])
    },
    take() {
      const [next] = lines
      if (!next) return undefined
      const [owner, line] = next
      const item = line.shift()
      lines.delete(owner)
      if (line.length > 0) lines.set(owner, line)
      return item
    },
    remove(owner, item) {
      const line = lines.get(owner)
      const at = line?.indexOf(item) ?? -1
      if (at < 0) return false
      line?.splice(at, 1)
      if (line?.length === 0) lines.delete(owner)
      return true
    },
  }
}
