import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Order, Outcome, TestSeen } from './runner.ts'

const RUNNER = join(import.meta.dirname, 'runner.ts')
const LOAD_MS = 60_000

export interface Verdict {
  readonly is: 'caught' | 'survived' | 'not reached'
  readonly why: string
}

/** One file and its tests, ready to try mutants on. */
export interface Session {
  judge(mutant: number): Promise<Verdict>
  close(): void
}

/** @throws {Error} when a test fails without any mutant. */
export async function openSession(file: string, tests: readonly string[]): Promise<Session> {
  // Patient: a busy machine must not look like a fault.
  let timeoutMs = 120_000
  let runner: Runner | null = null

  async function start(atStart: number | null): Promise<Runner> {
    const args = [file, JSON.stringify(tests), String(timeoutMs), atStart === null ? '' : String(atStart)]
    return startRunner(args)
  }

  runner = await start(null)
  const base = await runner.run({ mutant: null, titles: null }, 600_000)
  if (base === null || base.failed) {
    runner.kill()
    throw new Error(`The tests of ${file} fail without any mutant: ${base?.failed?.title} ${base?.failed?.why}`)
  }
  // A mutant may make a test wait in vain.
  timeoutMs = 2000 + 5 * Math.max(...base.tests.map(({ durationMs }) => durationMs))

  async function judgeRunning(mutant: number, seen: readonly TestSeen[]): Promise<Verdict> {
    const titles = seen.map(({ title }) => title)
    const limitMs = 10_000 + timeoutMs + 10 * seen.reduce((total, { durationMs }) => total + durationMs, 0)
    runner ??= await start(null)
    const outcome = await runner.run({ mutant, titles }, limitMs)
    if (outcome === null) {
      runner = null
      return { is: 'caught', why: 'the tests did not end' }
    }
    if (!outcome.failed) return { is: 'survived', why: `${titles.length} tests` }
    // The test must pass again without the mutant, or something that went before is to blame.
    const { failed } = outcome
    const blamed = titles.includes(failed.title) ? [failed.title] : titles
    const again = await runner.run({ mutant: null, titles: blamed }, limitMs)
    if (again && !again.failed) return { is: 'caught', why: failed.title }
    runner.kill()
    runner = null
    return judgeAlone(mutant, titles, limitMs)
  }

  /** In a process of its own, where the mutant is on from the start. */
  async function judgeAlone(mutant: number, titles: readonly string[] | null, limitMs: number): Promise<Verdict> {
    const own = await start(mutant).catch(() => null)
    if (own === null) return { is: 'caught', why: 'the tests do not load' }
    const outcome = await own.run({ mutant, titles }, limitMs)
    own.kill()
    if (outcome === null) return { is: 'caught', why: 'the tests did not end' }
    if (outcome.failed) return { is: 'caught', why: outcome.failed.title }
    return { is: 'survived', why: `${outcome.tests.length} tests` }
  }

  return {
    async judge(mutant) {
      const totalMs = base.tests.reduce((total, { durationMs }) => total + durationMs, 0)
      if (base.atLoad.includes(mutant)) return judgeAlone(mutant, null, 20_000 + timeoutMs + 10 * totalMs)
      const seen = base.tests.filter(({ reached }) => reached.includes(mutant))
      if (seen.length === 0) return { is: 'not reached', why: 'no test comes here' }
      return judgeRunning(mutant, seen)
    },
    close: () => runner?.kill(),
  }
}

interface Runner {
  /** Null when it did not end in time, or broke down. */
  run(order: Order, limitMs: number): Promise<Outcome | null>
  kill(): void
}

async function startRunner(args: readonly string[]): Promise<Runner> {
  const child = fork(RUNNER, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'test' },
  })
  if (child.pid) setPriority(child.pid, 19)
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2000)))
  if ((await answer(child, LOAD_MS)) === null) throw new Error(`The tests do not load: ${words}`)
  return {
    run(order, limitMs) {
      child.send(order)
      return answer(child, limitMs) as Promise<Outcome | null>
    },
    kill: () => child.kill('SIGKILL'),
  }
}

async function answer(child: ChildProcess, limitMs: number): Promise<unknown> {
  const done = new AbortController()
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const message = once(child, 'message', { signal: done.signal }).then(([it]) => it as unknown)
  const exit = once(child, 'exit', { signal: done.signal }).then(() => null)
  exit.catch(() => {})
  message.catch(() => {})
  const first = await Promise.race([message, exit])
  done.abort()
  clearTimeout(timer)
  return first
}
