import { rmSync } from 'node:fs'
import { expect } from 'chai'
import { adminJson } from '../support/admin.ts'
import { eventually, fetchJson, launchService, makeDataDir, startService } from '../support/service.ts'

const PATH = '/v1/tools/binary/encode?text=A'

async function statusOf(baseUrl: string, key: string): Promise<number> {
  return (await fetchJson(baseUrl + PATH, 'GET', undefined, { authorization: `Bearer ${key}` })).status
}

describe('the end of the sandbox', () => {
  const dataDir = makeDataDir()
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  it('ends the keys of its demo and no others, and a sandbox that comes back makes new ones', async () => {
    const first = await startService({ dataDir })
    const { projectId, keys } = first.demo
    const own = await adminJson(['key', 'create', '--project', projectId], { dataDir })
    const rotated = await adminJson(['key', 'rotate', (await demoKeyId(projectId)) ?? ''], { dataDir })
    const all = [keys.linked, keys.unlinked, rotated.key, own.key]
    for (const key of all) expect(await statusOf(first.demo.baseUrl, key)).to.equal(200)
    await first.kill('SIGTERM')

    const off = await launchService(dataDir, { SANDBOX: 'off', RENDER_CONCURRENCY: '0', LOG_LEVEL: 'info' })
    try {
      const text = await eventually(off.output, (output) => output.includes('"service started"'))
      const [, baseUrl = ''] = /"baseUrl":"([^"]+)".*"service started"/.exec(text) ?? []
      const statuses = await Promise.all(all.map((key) => statusOf(baseUrl, key)))
      expect(statuses).to.deep.equal([401, 401, 401, 200])
    } finally {
      await off.kill('SIGTERM')
    }

    const again = await startService({ dataDir })
    try {
      expect(again.demo.projectId).to.equal(projectId)
      for (const key of Object.values(again.demo.keys)) {
        expect(all).not.to.include(key)
        expect(await statusOf(again.demo.baseUrl, key)).to.equal(200)
      }
    } finally {
      await again.kill('SIGTERM')
    }
  })

  async function demoKeyId(projectId: string): Promise<string | undefined> {
    const keys = await adminJson(['key', 'list', '--project', projectId], { dataDir })
    return keys.find(({ name }: { name: string | null }) => name === 'demo, without a bot')?.id
  }
})
