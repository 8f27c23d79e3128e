import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { endNow } from '../process/end-now.ts'
import { childEnv, setNice } from './child-process.ts'
import { SOCKET_NAME, type FromSpawner, type ToSpawner } from './spawner-protocol.ts'

const SESSION_NICE = 5

/**
 * A process that only starts others. It exits with its parent and ends its children.
 * Arguments: its folder, and how many files above standard error its children inherit.
 */
const [folder = '', inheritedCount = '0'] = process.argv.slice(2)
const inherited = Array.from({ length: Number(inheritedCount) }, (_, i) => 3 + i)
/** Targets for signals to children: a process, or (negative) its process group. */
const running = new Set<number>()

async function start({ token, command, args, nice, env, leadsSession = false }: ToSpawner): Promise<void> {
  const streams = await Promise.all([0, 1, 2].map((number) => openStream(`${token}${number}`)))
  const child = spawn(command, args, { stdio: [...streams, ...inherited], detached: leadsSession, env: childEnv(env) })
  const { pid } = child
  child.once('error', (error) => refuse(token, error))
  if (pid !== undefined) {
    setNice(pid, nice)
    const target = leadsSession ? -pid : pid
    running.add(target)
    send({ token, pid })
    child.once('exit', (exitCode) => {
      running.delete(target)
      send({ token, exitCode })
    })
  }
  // The child has them, and its end must be their end.
  for (const stream of streams) stream.destroy()
}

/** Never read from here: what is sent to the child must stay in the socket. */
async function openStream(head: string): Promise<Socket> {
  const socket = connect(join(folder, SOCKET_NAME)).pause()
  await once(socket, 'connect')
  await new Promise((resolve, reject) => {
    socket.write(head, (error) => (error ? reject(error) : resolve(undefined)))
  })
  return socket
}

function refuse(token: string, error: unknown): void {
  const { message, code } = error as NodeJS.ErrnoException
  send({ token, error: { message, code } })
}

function send(message: FromSpawner): void {
  // A parent that is gone needs no answer.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

function end(): never {
  for (const target of running) endNow(target)
  rmSync(folder, { recursive: true, force: true })
  process.exit()
}

/** All children together get a quarter of what the service gets, where both want more than there is. */
function yieldToService(): void {
  try {
    writeFileSync('/proc/self/autogroup', String(SESSION_NICE))
  } catch {
    // Not Linux, or a kernel that does not share out by sessions.
  }
}

yieldToService()
process.on('disconnect', end)
process.on('message', (order: ToSpawner) => {
  start(order).catch((error: unknown) => refuse(order.token, error))
})
