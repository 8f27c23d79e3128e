import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { setThreadPriority } from '../../../lib/workers/thread-priority.ts'
import { attackerOf, type Attack, type Attacker, type AttackerFacts } from './attacks.ts'
import { SIZED_ATTACKS } from './sized.ts'

/** The priority of the attacker's web server, too. */
const LANES_NICE = 10

/** Counts by answer: status and message. */
type Answers = ReadonlyMap<string, number>

/** Attacks until it is stopped, in a thread of its own: what its requests cost here is not what the others wait for. */
export async function startAttack({ name }: Attack, facts: AttackerFacts) {
  const thread = new Worker(new URL(import.meta.url), { workerData: { name, facts } })
  await once(thread, 'message')
  return {
    /** Ends it and closes the attacker's players. */
    async stop(): Promise<Answers> {
      thread.postMessage('stop')
      const [answers] = (await once(thread, 'message')) as [Answers]
      await thread.terminate()
      return answers
    },
  }
}

/** @returns what the attacker was answered until `over`. */
async function attack({ lanes, once: go }: Attack, attacker: Attacker, over: AbortSignal): Promise<Answers> {
  const answers = new Map<string, number>()
  const lane = async (number: number): Promise<void> => {
    for (let turn = 0; !over.aborted; turn++) {
      const answer = await go(attacker, number, turn).catch((err: unknown) => ({
        status: 0,
        body: { error: { message: String(err) } },
      }))
      const said = `${answer.status} ${answer.body?.error?.message ?? ''}`.trim().slice(0, 130)
      answers.set(said, (answers.get(said) ?? 0) + 1)
      await sleep(20)
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
  if (!over.aborted) await once(over, 'abort')
  await Promise.race([all, sleep(30_000)])
  await Promise.all(
    attacker.guildIds.map((id) => attacker.call('DELETE', `/v1/music/guilds/${id}/player`).catch(() => undefined)),
  )
  return answers
}

if (!isMainThread) {
  setThreadPriority(LANES_NICE)
  const { name, facts } = workerData as { name: string; facts: AttackerFacts }
  const over = new AbortController()
  parentPort?.once('message', () => over.abort())
  const sized = SIZED_ATTACKS.find((one) => one.name === name)!
  const attacker = attackerOf(facts)
  await sized.prepare?.(attacker)
  parentPort?.postMessage('prepared')
  parentPort?.postMessage(await attack(sized, attacker, over.signal))
}
