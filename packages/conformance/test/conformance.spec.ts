import { expect } from 'chai'
import { join } from 'node:path'
import { CHECKS, selectChecks } from '../checks/index.ts'
import { keepCertificate } from '../cli/certificate.ts'
import { openDiscord } from '../cli/discord.ts'
import { decisive } from '../report/summary.ts'
import type { Check } from '../suite/check.ts'
import { runChecks, type Result } from '../suite/runner.ts'
import { openSuite } from '../suite/suite-context.ts'
import { temporaryFolder } from '../../../test/support/database.ts'
import { launchNode, type RunningNode } from '../../../test/support/lavalink-node.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { spoil } from './spoiling-proxy.ts'

const password = 'youshallnotpass'

/** Deliberate deviations from the documentation; docs/lavalink-conformance.md says why. */
const DELIBERATE: ReadonlySet<string> = new Set([])

/** The whole suite hears a hundred sounds: what else runs on the machine may spoil one, but not three times. */
const ROUNDS = [12, 4, 1]
/** Most of them wait for a sound or an event. */
const MUTANTS_AT_ONCE = 8

describe('the conformance suite', function () {
  this.timeout(600_000)
  const folder = temporaryFolder()
  let node: RunningNode
  let discord: Awaited<ReturnType<typeof openDiscord>>

  before(async () => {
    const certificates = join(folder.path, 'certificate')
    const { file } = await keepCertificate(certificates)
    discord = await openDiscord(0, certificates)
    node = await launchNode(folder.path, {
      LAVALINK_PASSWORD: password,
      NODE_EXTRA_CA_CERTS: file,
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
      LAVALINK_VOICE_HOSTS: 'localhost',
    })
  })
  after(async () => {
    await node.kill('SIGKILL')
    await discord.close()
    folder.remove()
  })

  async function run(url: string, checks: readonly Check[], jobs: number): Promise<readonly Result[]> {
    const suite = await openSuite({
      server: { url, password },
      sandboxUrl: discord.url,
      media: { host: '127.0.0.1', publicHost: null, port: 0 },
      fixtures: { playlist: null, search: null },
    })
    try {
      return await runChecks(suite, { checks, jobs, seconds: 30, bail: false, slow: false, onResult: () => undefined })
    } finally {
      await suite.close()
    }
  }

  it('finds nothing in our node that the documentation says otherwise', async () => {
    let failed: readonly Result[] = []
    let checks = CHECKS
    for (const jobs of ROUNDS) {
      failed = decisive(await run(node.url, checks, jobs), true).filter(({ id }) => !DELIBERATE.has(id))
      if (failed.length === 0) return
      checks = selectChecks(failed.map(({ id }) => id))
    }
    const seen = failed.map(({ id, reason, expected, actual }) => `${id}: ${reason} (${expected} / ${actual})`)
    expect(seen).to.deep.equal([])
  })

  it('passes what the mutants break when nothing is broken, through the same proxy', async () => {
    const proxy = await spoil(node.url, {})
    try {
      let checks = selectChecks(MUTANTS.map(({ caughtBy }) => caughtBy))
      let failed: readonly string[] = []
      for (const jobs of ROUNDS) {
        const results = await run(proxy.url, checks, jobs)
        failed = results.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)
        if (failed.length === 0) return
        checks = selectChecks(failed)
      }
      expect(failed).to.deep.equal([])
    } finally {
      await proxy.close()
    }
  })

  describe('sees each fault of a server', () => {
    const seen = new Map<string, Result | undefined>()

    async function look({ fault, caughtBy, spoiler }: Mutant): Promise<void> {
      const proxy = await spoil(node.url, spoiler)
      try {
        const [result] = await run(proxy.url, selectChecks([caughtBy]), 1)
        seen.set(fault, result)
      } finally {
        await proxy.close()
      }
    }

    before(async () => {
      const waiting = [...MUTANTS]
      const work = async () => {
        for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) await look(mutant)
      }
      await Promise.all(Array.from({ length: MUTANTS_AT_ONCE }, work))
    })

    for (const { fault, caughtBy } of MUTANTS) {
      it(`${fault}: ${caughtBy}`, () => {
        const result = seen.get(fault)
        expect(result?.outcome, result?.reason ?? '').to.equal('failed')
      })
    }
  })
})
