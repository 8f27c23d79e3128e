import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Debian's own Python, which has Debian's packages. */
const PYTHON = '/usr/bin/python3'
const CALLS = ['register', 'say', 'edit', 'react', 'remove', 'upload', 'write', 'join', 'speak', 'leave']

/** The bot of `discord_py.py`, which runs in a process of Python. */
export async function start({ url, token, tell }) {
  const args = [join(import.meta.dirname, 'discord_py.py'), url, token]
  const { NODE_EXTRA_CA_CERTS: SSL_CERT_FILE, ...env } = process.env
  const child = spawn(PYTHON, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...env, SSL_CERT_FILE } })
  const waiting = new Map()
  let lastId = 0
  createInterface(child.stdout).on('line', (line) => {
    const { id, told, result, error } = JSON.parse(line)
    if (told) return tell(told.what, told.detail)
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error) reject(new Error(error))
    else resolve(result)
  })
  const answerTo = (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`Python ended with ${code}.`))
  })

  const startedAtMs = performance.now()
  const userId = await answerTo(0)
  tell('logged in after', `${Math.round((performance.now() - startedAtMs) / 1000)} s`)
  const call = (name, ...given) => {
    const id = ++lastId
    child.stdin.write(`${JSON.stringify({ id, call: name, args: given })}\n`)
    return answerTo(id)
  }
  return {
    userId,
    ...Object.fromEntries(CALLS.map((name) => [name, (...given) => call(name, ...given)])),
    async close() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
