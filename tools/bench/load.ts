import { Agent, get } from 'node:http'

const TURN_MS = 10

export interface LoadReport {
  readonly perSecond: number
  readonly answers: Readonly<Record<number, number>>
  readonly medianMs: number
  readonly p99Ms: number
}

/** Asks the API so often a second, evenly, for this long. */
export async function load(url: string, key: string, { perSecond, forMs }: { perSecond: number; forMs: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const answers: Record<number, number> = {}
  const times: number[] = []
  const startMs = performance.now()
  const pending = new Set<Promise<void>>()
  let sent = 0
  while (performance.now() - startMs < forMs) {
    const due = Math.floor(((performance.now() - startMs) / 1000) * perSecond)
    for (; sent < due; sent++) {
      const one = ask(agent, url, key).then(({ status, ms }) => {
        answers[status] = (answers[status] ?? 0) + 1
        times.push(ms)
        return void pending.delete(one)
      })
      pending.add(one)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, TURN_MS)
    })
  }
  await Promise.all(pending)
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const [medianMs = 0, p99Ms = 0] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)])
  return {
    perSecond: (times.length / (performance.now() - startMs)) * 1000,
    answers,
    medianMs,
    p99Ms,
  } satisfies LoadReport
}

function ask(agent: Agent, url: string, key: string): Promise<{ status: number; ms: number }> {
  const startMs = performance.now()
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - startMs })
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0))
    }).on('error', () => done(0))
  })
}
