import { expect } from 'chai'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/database.ts'
import { redisMachine } from '../../support/machine.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually, fetchJson, launchService } from '../../support/service.ts'
import { freePort } from '../../support/web.ts'

describe('two services with one database, one Redis and different SERVICES_KEYs', () => {
  it('name each other at /readyz, and say what to set', async function () {
    if (!hasPostgres() || !hasRedis()) this.skip()
    this.timeout(120_000)
    await using opened = new AsyncDisposableStack()
    const folder = opened.adopt(temporaryFolder(), (it) => it.remove())
    const postgres = opened.adopt(await startPostgres(), (it) => it.close())
    const redisPort = await freePort()
    const redis = opened.adopt(redisMachine(redisPort, folder.path, false), async (it) => void (await it.kill()))
    await redis.start()
    const shared = {
      DATABASE_URL: await postgres.database(),
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      TOKEN_KEY: '7c'.repeat(32),
      SANDBOX: 'off',
      RENDER_CONCURRENCY: '0',
    }
    const urls: string[] = []
    for (const digit of ['a', 'b']) {
      const port = await freePort()
      const env = { ...shared, PORT: String(port), SERVICES_KEY: `5${digit}`.repeat(32) }
      opened.adopt(await launchService(join(folder.path, digit), env), (it) => it.kill('SIGTERM'))
      urls.push(`http://127.0.0.1:${port}`)
    }
    for (const [at, url] of urls.entries()) {
      const part = await eventually(
        () => partOf(url),
        ({ state }) => state !== 'ok',
      )
      expect(part.state).to.equal('degraded')
      expect(part.note)
        .to.include(`${urls[1 - at]} has another SERVICES_KEY`)
        .and.include('Set the same one')
    }
  })
})

async function partOf(url: string) {
  const { body } = await fetchJson(`${url}/readyz`, 'GET', undefined, {})
  return body.parts.find(({ name }: { name: string }) => name === 'services')
}
