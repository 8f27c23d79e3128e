import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { admin } from './admin.ts'
import { areServicesDivided } from './divided-api.ts'
import { startInstallation } from './installation.ts'
import { startBalancer } from './one-address.ts'
import { fetchJson, startService, type RunningService } from './service.ts'

/** Parts of a running service that tests also need of three behind one address. */
export interface AddressedService extends Pick<RunningService, 'call' | 'sandbox' | 'stop'> {
  readonly demo: Pick<RunningService['demo'], 'baseUrl' | 'botId' | 'projectId' | 'keys' | 'queries'>
  /** Runs the admin program with the settings of the service. */
  admin(args: readonly string[], more?: { readonly stdin?: string }): ReturnType<typeof admin>
}

const QUERIES = ['noise', 'second', 'third', 'fourth']

/** One service with its demo; with `TEST_SERVICES=3` three processes on PostgreSQL and Redis, and a balancer. */
export async function startAddressed(env: Readonly<Record<string, string>>): Promise<AddressedService> {
  if (areServicesDivided) return startThree(env)
  const service = await startService({ env })
  return { ...service, admin: (args, more) => admin(args, { dataDir: service.dataDir, ...more }) }
}

async function startThree(env: Readonly<Record<string, string>>): Promise<AddressedService> {
  const installed = await startInstallation({
    services: 3,
    shards: 3,
    env,
    populate({ library }) {
      for (const title of QUERIES.slice(1)) copyFileSync(join(library, 'noise.opus'), join(library, `${title}.opus`))
    },
  })
  const { services, bot, projectId, key: linked, sandbox, adminOptions } = installed
  const address = await startBalancer(() => services.map(({ baseUrl }) => baseUrl))
  const { key: unlinked } = await installed.admin('key', 'create', '--project', projectId)
  return {
    demo: { baseUrl: address.url, botId: bot.id, projectId, keys: { linked, unlinked }, queries: QUERIES },
    admin: (args, more) => admin(args, { ...adminOptions, ...more }),
    call: (method, path, { body, key = linked } = {}) =>
      fetchJson(address.url + path, method, body, key === null ? {} : { authorization: `Bearer ${key}` }),
    sandbox: (method, path, body) => fetchJson(sandbox.url + path, method, body, {}),
    async stop() {
      await address.close()
      await installed.close()
    },
  }
}
