import { randomUUID } from 'node:crypto'
import { createPeerClient, type PeerClient } from '../../cluster/forwarding/peer-client.ts'
import { CALLS_PATH } from '../../cluster/forwarding/peer-requests.ts'
import { createRequestSignature } from '../../cluster/forwarding/request-signature.ts'
import { exchangeNotes, ONE_KEY, otherKeyAt } from '../../cluster/other-keys.ts'
import { createSigning } from '../../cluster/signing.ts'
import type { Config } from '../../../config.ts'
import type { PeerService } from '../../../lib/sharing/forwarding.ts'
import { withCluster } from '../cluster/connect.ts'
import { fail, guarded, ok, warn, type Finding } from './check.ts'
import { PATIENCE_MS, reasonOf } from './network.ts'

const NO_CALLER = { address: null, caller: null, target: null }

/** Whether the services that run take requests of this machine. Nothing where services do not share bots. */
export async function checkServices(config: Config): Promise<readonly Finding[]> {
  const { database, redis: settings, servicesKey } = config
  if (database.url === null || settings.url === null || servicesKey === null) return []
  const signing = createSigning(servicesKey)
  // A name of its own in each run: a service refuses a number that the same sender has used.
  const client = createPeerClient(createRequestSignature({ signing, serviceId: `doctor-${randomUUID()}` }))
  const look = () =>
    withCluster(config, async (control, redis) => {
      const { services } = await control.look()
      const peers = [...services].map(([serviceId, { url }]) => ({ serviceId, url }))
      const strangers = await exchangeNotes({ redis, prefix: settings.prefix, signing }, null)
      return judge(await Promise.all(peers.map((peer) => greet(client, peer))), strangers)
    })
  const finding = await guarded('services', look)
  await client.close()
  return [finding]
}

function judge(greetings: readonly (Finding | null)[], [stranger]: readonly string[]): Finding {
  const [problem] = greetings.filter((greeting) => greeting !== null).toSorted((a) => (a.verdict === 'fail' ? -1 : 1))
  if (problem) return problem
  if (stranger !== undefined) return warn('services', otherKeyAt(stranger), ONE_KEY)
  const { length } = greetings
  return ok('services', length === 0 ? 'none is running' : `${length} running, which take requests of this machine`)
}

/** @returns what is wrong; null if nothing is. */
async function greet(client: PeerClient, peer: PeerService): Promise<Finding | null> {
  // A call that no service knows: it is refused, or has no answer.
  const request = { method: 'POST', path: `${CALLS_PATH}doctor`, headers: {}, body: '{}', identity: NO_CALLER }
  try {
    const { body } = await client.send(peer, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) })
    body.resume()
    return null
  } catch (error) {
    const refusal = client.refusalOf(peer.serviceId)
    if (refusal !== null) return fail('services', `${peer.url} refuses this machine`, refusal)
    const found = `${peer.url} is unreachable (${reasonOf(error)})`
    return warn('services', found, 'Check its SERVICE_URL and the firewall between the machines.')
  }
}
