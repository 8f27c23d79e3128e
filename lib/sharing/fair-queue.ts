/** Waiting items of many owners: each owner's items in order, the owners in turns. */
export function createFairQueue<T>() {
  // A map keeps its order: an owner that had a turn moves to the end.
  const lines = new Map<string, T[]>()
  return {
    get size() {
      let count = 0
      for (const line of lines.values()) count += line.length
      return count
    },
    add(owner: string, item: T) {
      const line = lines.get(owner)
      if (line) line.push(item)
      else lines.set(owner, [item])
    },
    /** Returns the number of waiting items of an owner. */
    sizeOf: (owner: string) => lines.get(owner)?.length ?? 0,
    /** Takes the next item of the owner whose last turn is longest ago, among owners that `isReady` accepts. */
    take(isReady: (owner: string) => boolean = () => true) {
      const owner = lines.keys().find(isReady)
      const line = owner === undefined ? undefined : lines.get(owner)
      if (owner === undefined || !line) return undefined
      const item = line.shift()
      lines.delete(owner)
      if (line.length > 0) lines.set(owner, line)
      return item
    },
    /** Returns false if the item no longer waits. */
    remove(owner: string, item: T) {
      const line = lines.get(owner)
      const at = line?.indexOf(item) ?? -1
      if (at < 0) return false
      line?.splice(at, 1)
      if (line?.length === 0) lines.delete(owner)
      return true
    },
  }
}
