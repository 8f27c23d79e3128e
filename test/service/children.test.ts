import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { descendantsOf, type ProcessFacts } from '../support/descendants.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'

/** Secrets that the operator configures, and others in a service's environment. */
const secrets = {
  DISCORD_TOKEN: 'discord-token-of-nobody-41c7aa',
  TOKEN_KEY: 'c0ffee'.repeat(10) + 'abcd',
  METRICS_TOKEN: 'metrics-token-5f1d07',
  GENIUS_ACCESS_TOKEN: 'genius-token-80bb14',
  RESULTS_S3_SECRET_ACCESS_KEY: 'store-secret-2b77d1',
  CLOUD_PASSWORD: 'password-of-another-program-99',
}

function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return null
  }
}

describe('the child processes of the service', () => {
  let service: RunningService
  before(async () => {
    service = await startService({ hasRenderer: true, env: { ...secrets, SANDBOX: 'on', RENDERER_IDLE_SECONDS: '0' } })
  })
  after(() => service.stop())

  const children = () => descendantsOf(service.process.pid ?? 0)
  const running = (name: string) =>
    eventually(
      () => children().find(({ command }) => command.includes(name)),
      (found) => found !== undefined,
    ) as Promise<ProcessFacts>

  it('have no secret of the service in their environments while music plays', async () => {
    const { voiceChannelId, guildId, queries } = service.demo
    const path = `/v1/music/guilds/${guildId}`
    const play = { query: queries[0], channelId: voiceChannelId }
    const played = await service.call('POST', `${path}/play`, { body: play })
    expect(played.status, JSON.stringify(played.body)).to.equal(200)
    expect((await service.call('PATCH', `${path}/player`, { body: { volume: 60 } })).status).to.equal(200)
    await running('libopus')
    if (hasRedis()) await running('redis-server')

    const all = children()
    const names: string[] = []
    for (const { pid, command } of all) {
      const environment = environmentOf(pid)
      // Processes that have ended since then have none.
      if (environment === null) continue
      names.push(command)
      for (const [name, secret] of Object.entries(secrets)) {
        expect(environment, `${name} of ${command}`).not.to.include(secret).and.not.to.include(name)
      }
    }
    const lasting = [
      'libopus',
      'spawner-process',
      'packages/sandbox/main',
      ...(hasRedis() ? ['redis-server', 'jobs/main'] : []),
    ]
    for (const one of lasting) expect(names.some((name) => name.includes(one))).to.equal(true, one)
  })

  it('may not hold more memory than their bounds', async () => {
    const decoder = await running('libopus')
    const limits = readFileSync(`/proc/${decoder.pid}/limits`, 'utf8')
    expect(limits).to.match(new RegExp(`^Max data size +${512 * 1024 * 1024} `, 'm'))
    expect(limits).to.match(/^Max core file size +0 /m)
  })

  it('end with a service that is killed, the decoders and what started them', async () => {
    await running('libopus')
    const audio = children().filter(({ command }) => /libopus|spawner-process/.test(command))
    expect(audio.some(({ command }) => command.includes('spawner-process'))).to.equal(true)
    await service.kill('SIGKILL')
    const left = () => audio.filter(({ pid }) => existsSync(`/proc/${pid}`)).length
    expect(await eventually(left, (count) => count === 0)).to.equal(0)
  })
})
