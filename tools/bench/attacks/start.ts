import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Attacker } from './attacks.ts'

interface RunningAttack {
  /** How often which answer came: status and message. */
  readonly answers: ReadonlyMap<string, number>
  /** Ends it and closes the attacker's players. */
  stop(): Promise<void>
}

/** Attacks until it is stopped. */
export function startAttack({ lanes, once }: Attack, attacker: Attacker): RunningAttack {
  const over = new AbortController()
  const answers = new Map<string, number>()
  const lane = async (number: number): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const answer = await once(attacker, number, turn).catch((err: unknown) => ({
        status: 0,
        body: { error: { message: String(err) } },
      }))
      const said = `${answer.status} ${answer.body?.error?.message ?? ''}`.trim().slice(0, 130)
      answers.set(said, (answers.get(said) ?? 0) + 1)
      await sleep(20)
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
  return {
    answers,
    stop: async () => {
      over.abort()
      await Promise.race([all, sleep(30_000)])
      await Promise.all(
        attacker.guildIds.map((id) => attacker.call('DELETE', `/v1/music/guilds/${id}/player`).catch(() => undefined)),
      )
    },
  }
}
