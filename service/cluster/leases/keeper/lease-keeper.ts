import { Worker } from 'node:worker_threads'
import { threadsNow } from '../../../../lib/clock.ts'
import { threadEnv } from '../../../../lib/workers/child-process.ts'
import type { Logger } from '../../../../lib/log.ts'
import type { HeldToken } from '../lease-store.ts'
import type { KeeperData, KeptPlace } from './keep.ts'
import { createSharedTimes, MAX_LEASES, PLACES, readTime, writeTime } from './shared-times.ts'

/** A lease that the thread renews, until `end`. */
export interface KeptLease {
  /** Time since the last renewal was sent that Redis granted; Infinity if there was none. */
  ageMs(): number
  /** Redis has refused it meanwhile. */
  forget(): void
  end(): void
}

/** Without a keeper. */
export const NOT_KEPT: KeptLease = { ageMs: () => Infinity, forget: () => undefined, end: () => undefined }

interface LeaseKeeperOptions {
  /** The module that calls `keepOn`. */
  readonly file: string
  /** Address at which that module finds Redis. */
  readonly address: unknown
  /** Prefix of the leases' keys in Redis. */
  readonly prefix: string
  readonly serviceId: string
  readonly log: Logger
}

const PULSE_MS = 50
const RESTART_MS = 1000
/** Enough for a few texts and a connection. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64 }

/**
 * Renews the leases of this service in Redis from a thread of its own, over a connection of its own: the main thread may be busy
 * for seconds when Discord tells of thousands of guilds. One that shows no sign of life for `HUNG_MS` loses them, as a
 * process does that is stopped.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions
  /** The thread keeps `PLACES.heldUntil` there. */
  readonly times = createSharedTimes()
  readonly #kept = new Map<number, KeptPlace>()
  readonly #pulse: NodeJS.Timeout
  #nextPlace = 0
  #thread: Worker | null = null
  #restart: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: LeaseKeeperOptions) {
    this.#options = options
    const beat = (): void => writeTime(this.times, PLACES.main, threadsNow())
    beat()
    this.#pulse = setInterval(beat, PULSE_MS).unref()
    this.#start()
  }

  add({ key, token }: HeldToken): KeptLease {
    const { times } = this
    const place = this.#choosePlace()
    writeTime(times, place, 0)
    this.#kept.set(place, { key, token, place })
    this.#tell()
    return {
      ageMs() {
        const sentMs = readTime(times, place)
        return sentMs === 0 ? Infinity : threadsNow() - sentMs
      },
      forget: () => writeTime(times, place, 0),
      end: () => {
        this.#kept.delete(place)
        this.#tell()
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pulse)
    clearTimeout(this.#restart)
    await this.#thread?.terminate()
  }

  #start(): void {
    const { log, file, ...data } = this.#options
    const workerData: KeeperData = { ...data, times: this.times }
    const thread = new Worker(file, { name: 'leases', workerData, env: threadEnv(), resourceLimits: RESOURCE_LIMITS })
    this.#thread = thread
    thread.on('error', (err) => log.error({ err }, 'thread of leases failed'))
    thread.once('exit', () => {
      if (this.#isClosed) return
      this.#thread = null
      // The main thread renews them, too.
      this.#restart = setTimeout(() => this.#start(), RESTART_MS).unref()
    })
    thread.unref()
    this.#tell()
  }

  #tell(): void {
    this.#thread?.postMessage([...this.#kept.values()])
  }

  /** Not that of a lease that has just ended: what is under way may still be written there. */
  #choosePlace(): number {
    do this.#nextPlace = (this.#nextPlace + 1) % MAX_LEASES
    while (this.#kept.has(PLACES.firstLease + this.#nextPlace))
    return PLACES.firstLease + this.#nextPlace
  }
}
