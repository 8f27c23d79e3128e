import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Called } from '../api.ts'
import { MISBEHAVIOURS, type Misbehaviour, type StandIn } from './stand-in.ts'

export interface FailureCase {
  /** The service that goes wrong; read when the test runs. */
  readonly service: () => StandIn
  readonly ask: () => Promise<Called>
  readonly status: number
  readonly code: string
  /** Begins the message that says what failed. */
  readonly words: RegExp
  /** Lets the pause of the breaker pass. */
  readonly wait: () => void
  readonly except?: readonly Misbehaviour[]
}

/** One test for every way in which a service goes wrong: the documented answer in time, and health afterwards. */
export function itCopesWithEveryFailure(it: Mocha.TestFunction, failing: FailureCase): void {
  for (const how of MISBEHAVIOURS.filter((each) => !failing.except?.includes(each))) {
    it(`answers ${failing.status} in words when the service fails: ${how}`, async () => {
      failing.service().misbehave(how)
      const startedAt = performance.now()
      const { status, body } = await failing.ask()
      expect([status, body.error?.code], JSON.stringify(body)).to.deep.equal([failing.status, failing.code])
      expect(body.error.message).to.match(failing.words)
      expect(performance.now() - startedAt).to.be.below(8000)
      failing.service().misbehave(null)
      const recovered = await recover(failing)
      expect(recovered.status, JSON.stringify(recovered.body)).to.equal(200)
    })
  }
}

/** A call of the bad time may still be under way and shared. */
async function recover({ ask, wait }: FailureCase): Promise<Called> {
  for (let triesLeft = 20; ; triesLeft--) {
    wait()
    const called = await ask()
    if (called.status === 200 || triesLeft === 0) return called
    await sleep(50)
  }
}
