import { Fault } from '../../../lib/errors.ts'
import type { KeyStore } from '../../http/app-context.ts'
import { assertAddress, bearerKey, callerOf, digestOf, findWorkingKey } from '../../http/auth.ts'
import type { NodeCaller, NodeKeys } from './node-keys.ts'

interface KnownCaller extends NodeCaller {
  readonly digest: Buffer
}

/** The API keys of a service's projects as passwords. A key without a bot is enough, since the bot belongs to the client. */
export function createProjectKeys(keys: KeyStore, now: () => number): NodeKeys {
  return {
    async find(password, addressOf) {
      const found = await orNull(async () => {
        const digest = digestOf(bearerKey(`Bearer ${password}`))
        return { digest, record: await findWorkingKey(keys, digest, now()) }
      })
      if (!found) return null
      const { digest, record } = found
      if (record.classes && !record.classes.includes('player')) {
        throw new Fault('forbidden', "This key can't call player routes.")
      }
      assertAddress(record, addressOf)
      const { projectId, keyId, plan } = callerOf(record)
      return { projectId, keyId, plan, digest } satisfies KnownCaller
    },
    async isAccepted(caller) {
      const { digest } = caller as KnownCaller
      return (await orNull(() => findWorkingKey(keys, digest, now()))) !== null
    },
  }
}

/** Null for a key that does not work. @throws what has other reasons, such as a database that is away */
async function orNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find()
  } catch (thrown) {
    if (thrown instanceof Fault && (thrown.code === 'invalid_api_key' || thrown.code === 'api_key_revoked')) return null
    throw thrown
  }
}
