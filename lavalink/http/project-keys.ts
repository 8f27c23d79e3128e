import { Fault } from '../../lib/errors.ts'
import type { KeyStore } from '../../api/http/app-context.ts'
import { assertAddress, bearerKey, callerOf, digestOf, findWorkingKey } from '../../api/http/auth.ts'
import type { NodeCaller, NodeKeys } from './node-keys.ts'

interface KnownCaller extends NodeCaller {
  readonly digest: Buffer
}

/** The API keys of a service's projects as passwords. A key without a bot is enough, since the bot belongs to the client. */
export function createProjectKeys(keys: KeyStore, now: () => number): NodeKeys {
  return {
    find(password, addressOf) {
      const found = orNull(() => {
        const digest = digestOf(bearerKey(`Bearer ${password}`))
        return { digest, record: findWorkingKey(keys, digest, now()) }
      })
      if (!found) return null
      const { digest, record } = found
      if (record.classes && !record.classes.includes('player')) {
        throw new Fault('forbidden', 'This key is restricted to other route classes than player.')
      }
      assertAddress(record, addressOf)
      const { projectId, keyId, plan } = callerOf(record)
      return { projectId, keyId, plan, digest } satisfies KnownCaller
    },
    isAccepted(caller) {
      const { digest } = caller as KnownCaller
      return orNull(() => findWorkingKey(keys, digest, now())) !== null
    },
  }
}

/** Null for a key that does not work. @throws what has other reasons, such as a database that is away */
function orNull<T>(find: () => T): T | null {
  try {
    return find()
  } catch (thrown) {
    if (thrown instanceof Fault && (thrown.code === 'invalid_api_key' || thrown.code === 'api_key_revoked')) return null
    throw thrown
  }
}
