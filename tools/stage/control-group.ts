import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argsOf, descendantsOf } from './process.ts'

/** A limit of memory that the kernel enforces. Linux, where the groups may be written to: as root, or by delegation. */
export type ControlGroup = ReturnType<typeof openControlGroup>

/** In MiB. */
export interface GroupMemory {
  /** Memory without a file behind it: only the end of a process frees it. */
  readonly anonymous: number
  /** Files that its processes have in use, such as programs. */
  readonly mapped: number
  /** The number of times that a process had to wait for memory to be given back. */
  readonly reclaims: number
  readonly kills: number
}

const MIB = 1024 * 1024
/** The interval of looks for the stand-in: memory that it allocates before it is moved may stay with the service. */
const LOOK_EVERY_MS = 20
const V1 = '/sys/fs/cgroup/memory'
const V2 = '/sys/fs/cgroup'

/** @param command what runs in it, by its path. @throws {Error} that says why this machine cannot */
export function openControlGroup(limitMiB: number, command: string) {
  const isV1 = existsSync(join(V1, 'memory.limit_in_bytes'))
  const root = isV1 ? V1 : V2
  const name = `bandstand-bench-${process.pid}`
  const [inside, outside] = [join(root, name), join(root, `${name}-outside`)]
  try {
    accessSync(join(root, 'cgroup.procs'), constants.W_OK)
    if (!isV1) writeFileSync(join(root, 'cgroup.subtree_control'), '+memory')
    for (const folder of [inside, outside]) mkdirSync(folder)
    writeFileSync(join(inside, isV1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limitMiB * MIB))
  } catch (cause) {
    throw new Error(`no limit of ${limitMiB} MiB can be set here: ${String(cause)}`, { cause })
  }
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
  /** Starts what follows it inside of the group. */
  const launcher = join(folder, 'launch.sh')
  writeFileSync(launcher, `#!/bin/sh\necho $$ > ${inside}/cgroup.procs && exec ${command} "$@"\n`, { mode: 0o700 })
  return {
    launcher,
    /** Stops counting a process; memory that it has allocated by then stays with the group. */
    moveOut: (pid: number) => writeFileSync(join(outside, 'cgroup.procs'), String(pid)),
    now: () => (isV1 ? readV1(inside) : readV2(inside)),
    /** When all of its processes have ended. */
    remove() {
      for (const group of [inside, outside]) rmdirSync(group)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The stand-in is no part of the service: its memory is not to count. It starts with it.
 * @param pid of the process that starts the service @returns what stops looking for it
 */
export function moveStandIn(group: ControlGroup, pid: number): () => void {
  const timer = setInterval(() => {
    const standIn = descendantsOf(pid).find((one) => argsOf(one).includes('packages/sandbox/main'))
    if (!standIn) return
    clearInterval(timer)
    group.moveOut(standIn.pid)
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

function readV1(folder: string): GroupMemory {
  const stat = numbersOf(join(folder, 'memory.stat'))
  return {
    anonymous: (stat.get('total_rss') ?? 0) / MIB,
    mapped: (stat.get('total_mapped_file') ?? 0) / MIB,
    reclaims: Number(readFileSync(join(folder, 'memory.failcnt'), 'utf8')),
    kills: numbersOf(join(folder, 'memory.oom_control')).get('oom_kill') ?? 0,
  }
}

function readV2(folder: string): GroupMemory {
  const [stat, events] = [numbersOf(join(folder, 'memory.stat')), numbersOf(join(folder, 'memory.events'))]
  return {
    anonymous: (stat.get('anon') ?? 0) / MIB,
    mapped: (stat.get('file_mapped') ?? 0) / MIB,
    reclaims: events.get('max') ?? 0,
    kills: events.get('oom_kill') ?? 0,
  }
}

function numbersOf(file: string): ReadonlyMap<string, number> {
  return new Map(
    Array.from(readFileSync(file, 'utf8').matchAll(/^(\S+) (\d+)$/gm), ([, key, value]) => [key!, Number(value)]),
  )
}
