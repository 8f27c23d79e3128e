import type { Crowd } from '../crowd.ts'
import type { Seat } from './build-guild.ts'

/** Number of voice clients that connect at the same time. */
const AT_A_TIME = 10

/** Brings those into voice who sit there from the start. Resolves when their clients hear and speak. */
export async function takeSeats(crowd: Crowd, seats: readonly Seat[]): Promise<void> {
  const waiting = seats.values()
  const bring = async () => {
    for (const { guild, ...entering } of waiting) await crowd.enter(guild, entering)
  }
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, seats.length) }, bring))
}
