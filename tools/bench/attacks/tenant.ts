import { admin } from '../../../test/support/admin.ts'
import type { RunningService } from '../../../test/support/service.ts'
import { openPlaces } from '../../stage/places.ts'

/** A project with a bot of its own in the stand-in, and players in guilds of theirs. */
export type Tenant = Awaited<ReturnType<typeof addTenant>>

export async function addTenant(service: RunningService, plan: string, guilds: number) {
  const { dataDir } = service
  const { body: application } = await service.sandbox('POST', '/sandbox/applications', { name: `Bot of ${plan}` })
  const projectId = (await admin(['project', 'create', plan, '--plan', plan, '--json'], { dataDir })).json.id
  const added = await admin(['bot', 'add', '--project', projectId, '--json'], { dataDir, stdin: application.token })
  const created = await admin(['key', 'create', '--project', projectId, '--bot', added.json.id, '--json'], { dataDir })
  const { key } = created.json
  const places = await openPlaces(service, application.id, guilds)
  return {
    userId: application.id,
    key,
    /** Of the service. */
    baseUrl: service.demo.baseUrl,
    places,
    /** Calls the API with its key. */
    call: (method: string, path: string, body?: unknown) => service.call(method, path, { key, body }),
  }
}
