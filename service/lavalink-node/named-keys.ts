import { hash } from 'node:crypto'
import type { NodeCaller, NodeKeys } from '../../api/lavalink/http/node-keys.ts'
import type { NamedKey } from '../../api/lavalink/settings.ts'

/** The keys of the settings have ceilings of their own, so that the plan says nothing of them. */
const PLAN = 'scale'

interface NamedKeys extends NodeKeys {
  /** Whether a caller came with one of these. */
  has(caller: NodeCaller): boolean
}

/** The keys of the settings, each a tenant of its own. They are found by their digests, so that no timing tells of them. */
export function createNamedKeys(keys: readonly NamedKey[]): NamedKeys {
  const byDigest = new Map(
    keys.map((key): [string, NodeCaller] => [
      digestOf(key.secret),
      { projectId: tenantOf(key), keyId: key.name, plan: PLAN, ...(key.isService && { isService: true }) },
    ]),
  )
  return {
    has: ({ projectId }) => keys.some((key) => tenantOf(key) === projectId),
    find: async (password) => byDigest.get(digestOf(password)) ?? null,
    // Keys change with a restart alone, which ends all sessions.
    isAccepted: async () => true,
  }
}

/** Stands for a project's id, none of which has a colon. */
export function tenantOf({ name }: Pick<NamedKey, 'name'>): string {
  return `key:${name}`
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}
