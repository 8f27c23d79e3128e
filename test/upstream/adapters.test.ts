import { expect } from 'chai'
import { Fault } from '../../lib/errors.ts'
import { UpstreamFailure } from '../../upstream/http/failure.ts'
import { closing } from '../support/closing.ts'
import { outsideSources } from '../support/music-outside.ts'
import { createTestContext } from '../support/upstreams/context.ts'
import type { Reply, StandIn } from '../support/upstreams/stand-in.ts'
import { openTestUtilities } from '../support/utilities.ts'
import { LOOKUPS, type LookupCase } from './lookup-cases.ts'
import { CLIENTS, SOURCES, type SourceCase } from './music-cases.ts'

const env = { UPSTREAM_TIMEOUT_MS: '1000' }

describe('every service outside', () => {
  const own = closing()

  const lookUp = (it: LookupCase, { url }: StandIn) =>
    it.ask(own(openTestUtilities({ ...env, ...it.env(url) })).utilities)
  const play = async (it: SourceCase, { url }: StandIn) =>
    it.ask((await outsideSources(own, { ...env, ...it.env(url) })).sources, url)
  /** Each time from the beginning: nothing is remembered, and no breaker is open. */
  const adapters = [
    ...LOOKUPS.map((it) => ({ it, ask: (service: StandIn) => lookUp(it, service) })),
    ...SOURCES.map((it) => ({ it, ask: (service: StandIn) => play(it, service) })),
    ...CLIENTS.map((it) => ({ it, ask: ({ url }: StandIn) => it.ask(own(createTestContext()), url) })),
  ]

  for (const { it: adapter, ask } of adapters) {
    const { name, start, refusal, changed } = adapter
    it(`${name}: is read where it answers, and told to refuse or to have changed where it does`, async () => {
      const service = own(await start())
      expect(await ask(service), 'as it answers').to.satisfy(Boolean)
      const failureAfter = async (reply: Reply) => {
        service.answerAll(reply)
        return ask(service).then(
          (found) => `answered ${JSON.stringify(found)}`,
          (error: unknown) => kindOf(error),
        )
      }
      expect(await failureAfter(refusal), 'refusal').to.equal('refused')
      expect(await failureAfter(changed), 'change').to.equal('malformed')
    })
  }
})

/** Failure of a lookup; scraped pages report it only in the message. */
function kindOf(error: unknown): string {
  let failure = error
  while (failure instanceof Fault && failure.cause !== undefined) failure = failure.cause
  if (failure instanceof UpstreamFailure) return failure.facts.kind
  const words = error instanceof Error ? error.message : String(error)
  if (/blocks this service for now/.test(words)) return 'refused'
  return /changed its pages/.test(words) ? 'malformed' : words
}
