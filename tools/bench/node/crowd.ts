/**
 * The members of `tools/bench/node.ts`, in a process of their own. In each channel one is there all the time, deafened, so
 * that the bot's sound is always encrypted end to end; others come, hear it for a while and go. Each coming and going
 * gives the whole channel new keys.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { connectMember, type MemberVoice } from 'bandstand-sandbox/voice'
import { fetchJson } from '../../../test/support/service.ts'

/** The number of visitors at once: each stays for that many changes, while the next ones go elsewhere. */
const VISITORS_AT_ONCE = 10

const Order = z.object({
  url: z.string(),
  certificate: z.string(),
  changesPerSecond: z.number(),
  places: z.array(z.object({ guildId: z.string(), channelId: z.string(), memberIds: z.array(z.string()) })),
})
type Order = z.output<typeof Order>
type Place = Order['places'][number]

const tally = { changes: 0, heard: 0, undecrypted: 0, failed: 0 }

async function enter(
  { url, certificate }: Order,
  place: Place,
  { resident }: { resident: boolean },
): Promise<MemberVoice> {
  const { guildId, channelId, memberIds } = place
  const userId = memberIds[resident ? 0 : 1]
  const path = `${url}/sandbox/guilds/${guildId}/channels/${channelId}/connect`
  const { body } = await fetchJson(path, 'POST', { userId, selfDeaf: resident }, {})
  return connectMember({ ...body, certificate })
}

async function leave(visitor: MemberVoice): Promise<void> {
  const { decrypted, failed } = visitor.report
  tally.heard += decrypted
  tally.undecrypted += failed
  visitor.close()
  tally.changes++
}

async function invite(order: Order, place: Place, visitors: MemberVoice[]): Promise<void> {
  try {
    visitors.push(await enter(order, place, { resident: false }))
    tally.changes++
  } catch {
    tally.failed++
  }
}

/** Comings and goings in turns, the channels one after the other, until the signal fires. */
async function churn(order: Order, signal: AbortSignal): Promise<void> {
  Object.assign(tally, { changes: 0, heard: 0, undecrypted: 0, failed: 0 })
  if (order.changesPerSecond === 0) return
  const visitors: MemberVoice[] = []
  const everyMs = 1000 / order.changesPerSecond
  for (let [turn, atMs] = [0, performance.now()]; !signal.aborted; turn++, atMs += everyMs) {
    await sleep(Math.max(0, atMs - performance.now()))
    const oldest = turn % 2 === 1 && visitors.length >= VISITORS_AT_ONCE ? visitors.shift() : undefined
    if (oldest) await leave(oldest)
    const place = order.places[(turn >> 1) % order.places.length]
    if (turn % 2 === 1 || !place) continue
    // The next change does not wait for the handshake of this one.
    void invite(order, place, visitors)
  }
  for (const visitor of visitors) visitor.close()
}

process.on('message', (message) => {
  if (message === 'tally') return void process.send?.({ tally })
  if (message === 'rest') return churning.abort()
  if (message === 'churn') {
    churning = new AbortController()
    return void churn(order, churning.signal)
  }
  void admit(Order.parse(message))
})
process.on('disconnect', () => process.exit())

let order: Order
let churning = new AbortController()

async function admit(given: Order): Promise<void> {
  order = given
  for (const place of order.places) await enter(order, place, { resident: true })
  process.send?.('seated')
}
