import type { Redis } from 'ioredis'
import { isNewer, merge, type SharedProject, type SharedProjects } from '../db/projects/shared-projects.ts'
import type { Logger } from '../lib/log.ts'
import { isProjectId, MAX_MESSAGE_LENGTH, parseState } from './messages.ts'
import type { Signing } from './signing.ts'
import { projectsChannel } from './transport.ts'

/** Keeps projects and keys here and in Redis in step. */
export interface ProjectSync {
  /** Called when a service announces a change of this project. */
  changed(id: string): void
  /** Looks at every project, here and there. */
  all(): void
  close(): Promise<void>
}

export interface ProjectSyncOptions {
  readonly redis: Redis
  readonly prefix: string
  readonly signing: Signing
  readonly projects: SharedProjects
  readonly log: Logger
  /** The wall clock. */
  readonly now: () => number
}

const LOOK_EVERY_MS = 250
/** Messages may be lost; this is how long that goes unnoticed at most. */
const ALL_EVERY_MS = 30_000
/** Others may have written in between; each of them needs a round. */
const MOST_TRIES = 20
const MOST_CHANGED = 10_000

/** Compare-and-set: writes only over the value that was read. @returns whether it did. */
const REPLACE = `
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PUBLISH', KEYS[2], ARGV[1])
return 1`

/**
 * Redis holds the merged state of each project; a service takes over what it did not know, and puts back what Redis did
 * not know. Whatever it missed, or Redis lost, is made good at the next look, since nothing that was merged is forgotten
 * by anyone's database.
 */
export function startProjectSync(options: ProjectSyncOptions): ProjectSync {
  const { redis, log } = options
  const due = createDue(options)
  const warnings = createOnceWarnings(log)
  let working: Promise<void> | null = null
  let isClosed = false

  async function work(): Promise<void> {
    for await (const id of due.take()) {
      if (isClosed) return
      await mergeProject(options, id, warnings)
    }
  }
  function start(): void {
    if (isClosed || redis.status !== 'ready' || due.isNothing) return
    working ??= work()
      .catch((err: unknown) => {
        // Redis went away; it may have changed by the time that it is back.
        due.addAll()
        log.debug({ err }, 'project sync failed')
      })
      .finally(() => (working = null))
  }
  function poll(): void {
    try {
      due.addChanged()
    } catch (err) {
      log.warn({ err }, 'reading changed projects failed')
    }
    start()
  }
  function all(): void {
    due.addAll()
    start()
  }

  const timers = [setInterval(poll, LOOK_EVERY_MS), setInterval(all, ALL_EVERY_MS)]
  all()
  return {
    changed(id) {
      due.add(id)
      start()
    },
    all,
    async close() {
      timers.forEach(clearInterval)
      isClosed = true
      await working
    },
  }
}

/** The projects that are to be looked at, each once. */
function createDue(options: Pick<ProjectSyncOptions, 'redis' | 'prefix' | 'projects'>) {
  const { redis, projects } = options
  const ids = new Set<string>()
  let isAllDue = false
  let { mark } = projects.changedSince(0)

  return {
    get isNothing() {
      return ids.size === 0 && !isAllDue
    },
    add(id: string): void {
      if (ids.size >= MOST_CHANGED) isAllDue = true
      else if (isProjectId(id)) ids.add(id)
    },
    addAll(): void {
      isAllDue = true
    },
    addChanged(): void {
      const since = projects.changedSince(mark)
      mark = since.mark
      for (const id of since.ids) ids.add(id)
    },
    async *take(): AsyncGenerator<string> {
      if (isAllDue) {
        isAllDue = false
        for (const id of [...projects.ids(), ...(await redis.hkeys(hashOf(options)))]) if (isProjectId(id)) ids.add(id)
      }
      for (const id of ids) {
        ids.delete(id)
        yield id
      }
    },
  }
}

type SyncOptions = Pick<ProjectSyncOptions, 'redis' | 'prefix' | 'signing' | 'projects' | 'now'>

async function mergeProject(options: SyncOptions, id: string, warnings: OnceWarnings): Promise<void> {
  const { redis, prefix, signing, projects, now } = options
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const raw = (await redis.hget(hashOf(options), id)) ?? ''
    const text = raw.length > MAX_MESSAGE_LENGTH ? null : signing.check(purposeOf(id), raw)
    const theirs = text === null ? null : readState(id, text)
    // A newer service knows better what is in it.
    if (text !== null && !theirs) return warnings.warnOnce(id, 'project sync skipped: a newer version wrote it')
    const before = projects.find(id)
    if (theirs && (!before || isNewer(theirs, before, now()))) {
      const refused = projects.merge(theirs)
      if (refused.length > 0)
        warnings.warnOnce(
          `${id} ${refused.join()}`,
          'project sync skipped keys or pools: their bot belongs to another project here',
        )
    }
    const ours = projects.find(id)
    if (!ours || (theirs && !isNewer(ours, theirs, now()))) return
    const signed = signing.sign(purposeOf(id), JSON.stringify(merge(ours, theirs, now())))
    if ((await redis.eval(REPLACE, 2, hashOf(options), projectsChannel(prefix), id, raw, signed)) === 1) return
  }
}

function readState(id: string, text: string): SharedProject | null {
  const state = parseState(text)
  return state?.id === id ? state : null
}

function hashOf({ prefix }: Pick<SyncOptions, 'prefix'>): string {
  return `${prefix}:projects`
}

function purposeOf(id: string): string {
  return `project ${id}`
}

type OnceWarnings = ReturnType<typeof createOnceWarnings>

/** Each is worth a word, once. */
function createOnceWarnings(log: Logger) {
  const warned = new Set<string>()
  return {
    warnOnce(what: string, words: string): void {
      if (warned.has(what) || warned.size >= MOST_CHANGED) return
      warned.add(what)
      log.warn({ what }, words)
    },
  }
}
