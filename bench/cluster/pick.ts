/** @throws {Error} if there is nothing. */
export function pick<T>(random: () => number, all: readonly T[]): T {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new Error('Nothing to pick from.')
  return one
}
