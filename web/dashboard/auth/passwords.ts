import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import PQueue from 'p-queue'
import { Fault } from '../../../lib/errors.ts'
import { trimTrailing } from '../../../lib/text.ts'

/** The cost of a guess at stolen hashes, and of each sign-in. */
interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
}

export type Passwords = ReturnType<typeof createPasswords>

/** 64 MiB and three passes, a fifth of a second of one core. */
const COST: PasswordCost = { memoryKib: 65_536, passes: 3 }
const TAG_BYTES = 32
/** Node's thread pool has four threads, which names and files of the music need too: one hash at a time. */
const MOST_WAITING = 20

const derive = promisify(argon2)

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Argon2id, computed on Node's thread pool. */
export function createPasswords(cost: PasswordCost = COST) {
  const queue = new PQueue({ concurrency: 1 })

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (queue.size + queue.pending >= MOST_WAITING) {
      throw new Fault('service_unavailable', 'Too many sign-ins at once. Try again in a moment.', {
        retryAfterMs: 5000,
      })
    }
    return queue.add(work)
  }

  function tag(password: string, nonce: Buffer, { memoryKib, passes }: PasswordCost): Promise<Buffer> {
    // The same letters can be typed in more than one form of Unicode.
    const message = password.normalize('NFKC')
    const parameters = { message, nonce, parallelism: 1, tagLength: TAG_BYTES, memory: memoryKib, passes }
    return inTurn(() => derive('argon2id', parameters))
  }

  return {
    /** @returns the hash in PHC form. @throws {Fault} `service_unavailable` when too many wait. */
    async hash(password: string): Promise<string> {
      const nonce = randomBytes(16)
      const derived = await tag(password, nonce, cost)
      return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=1$${phc(nonce)}$${phc(derived)}`
    },
    /**
     * Takes as long without a hash, so timing does not reveal whether an account exists.
     * @throws {Fault} `service_unavailable` when too many wait.
     */
    async verify(password: string, hash: string | null): Promise<boolean> {
      const [, memory, passes, nonce, expected] = PHC.exec(hash ?? '') ?? []
      if (nonce === undefined || expected === undefined) {
        await tag(password, randomBytes(16), cost)
        return false
      }
      const used = { memoryKib: Number(memory), passes: Number(passes) }
      const derived = await tag(password, Buffer.from(nonce, 'base64'), used)
      const known = Buffer.from(expected, 'base64')
      return known.length === derived.length && timingSafeEqual(known, derived)
    },
  }
}

function phc(bytes: Buffer): string {
  return trimTrailing(bytes.toString('base64'), '=')
}
