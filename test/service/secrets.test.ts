import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { WebSocket } from 'ws'
import { admin as run } from '../support/admin.ts'
import { startBucket, type Bucket } from '../support/bucket.ts'
import { temporaryFolder } from '../support/database.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'
import { openEvents, refusedHandshake } from '../support/socket.ts'
import { listen, serve, type Listening } from '../support/web.ts'
import { upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

/** Every secret of a service alone; the names are those of the variables. */
const configured = {
  METRICS_TOKEN: 'metrics-token-5f1d07',
  TOKEN_KEY: 'c0ffee'.repeat(10) + 'abcd',
  DISCORD_CLIENT_SECRET: 'client-secret-9b2e11',
  OPENWEATHER_API_KEY: 'weather-key-77aa31',
  DEEPL_API_KEY: 'translation-key-1c9d02',
  GENIUS_ACCESS_TOKEN: 'genius-token-80bb14',
}
const redisPassword = 'redis-password-6d2c40'

/** Anyone who may read the log learns no secret from it, at whatever level, whatever goes wrong. */
describe('the log of the running service', () => {
  const folder = temporaryFolder()
  /** By what it is. */
  const secrets = new Map<string, string>(Object.entries(configured))
  let redis: ChildProcess
  let bucket: Bucket
  let outside: Listening
  let service: RunningService

  before(async function () {
    if (!hasRedis()) this.skip()
    const taken = await listen(createServer())
    await taken.close()
    const options = ['--port', String(taken.port), '--requirepass', redisPassword, '--save', '', '--appendonly', 'no']
    redis = spawn('redis-server', options, { cwd: folder.path, stdio: 'ignore' })
    bucket = await startBucket()
    // An outside service that repeats the key that it was sent, and a host of sound that has none.
    outside = await serve((request, response) => {
      const said = `${request.url} ${request.headers.authorization}`
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ message: said }))
    })
    service = await startService({
      hasRenderer: true,
      env: {
        ...configured,
        LOG_LEVEL: 'trace',
        REDIS_URL: `redis://:${redisPassword}@127.0.0.1:${taken.port}`,
        DISCORD_CLIENT_ID: '81384788765712999',
        RESULTS_S3_ENDPOINT: bucket.endpoint,
        RESULTS_S3_REGION: 'test-1',
        RESULTS_S3_ACCESS_KEY_ID: bucket.keys.accessKeyId,
        RESULTS_S3_SECRET_ACCESS_KEY: 'not the secret of the store',
        WEATHER_PROVIDER: 'openweathermap',
        ...upstreamUrls({ openweathermap: outside.url, deepl: outside.url, genius: outside.url }),
        TRANSLATE_PROVIDER: 'deepl',
        EGRESS_ALLOW_HOSTS: '127.0.0.1',
      },
    })
    secrets.set('redis', redisPassword).set('store', 'not the secret of the store')
    secrets.set('key', service.demo.keys.linked).set('other key', service.demo.keys.unlinked)
    secrets.set('entry', new URL(service.demo.dashboardUrl).searchParams.get('token') ?? '')
  })
  after(async () => {
    await service?.stop()
    redis?.kill()
    await bucket?.close()
    await outside?.close()
    folder.remove()
  })

  /** Log lines of the output, without the greeting. */
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
  const told = (msg: string) =>
    eventually(
      () => lines().filter((line) => line.includes(`"msg":"${msg}"`)).length,
      (count) => count > 0,
    )

  it('holds none of them after everything that handles them was used, rightly and wrongly', async () => {
    const { demo, dataDir } = service
    const wrong = `svc.${'be'.repeat(32)}`
    secrets.set('wrong key', wrong)

    // Keys: made, used, wrong, and where they do not belong.
    const admin = (...args: string[]) => run([...args, '--json'], { dataDir, env: { TOKEN_KEY: configured.TOKEN_KEY } })
    const made = await admin('key', 'create', '--project', demo.projectId)
    secrets.set('new key', made.json.key)
    await eventually(
      () => service.call('GET', '/v1/tools/binary/encode?text=a', { key: made.json.key }),
      ({ status }) => status === 200,
    )
    const escaped = [wrong.replace('.', '%2E'), wrong.replace('.', '%252e'), `%73%76%63${wrong.slice(3)}`]
    const inPaths = [wrong, ...escaped].flatMap((key) => [`/v1/${key}`, `/nowhere/${key}/x`, `/v4/info/${key}`])
    for (const path of ['/v1/status', `/v1/tools/binary/encode?text=a&key=${wrong}`, ...inPaths]) {
      await service.call('GET', path, { key: wrong })
    }
    await fetch(`${demo.baseUrl}/metrics`, { headers: { authorization: `Bearer ${configured.METRICS_TOKEN}` } })
    await fetch(`${demo.baseUrl}/metrics`, { headers: { authorization: 'Bearer metrics-token-wrong-2210' } })
    secrets.set('wrong metrics token', 'metrics-token-wrong-2210')

    // The events socket takes its key in the query.
    const events = await openEvents(demo.baseUrl, null, `?key=${demo.keys.linked}`)
    expect((await events.message(0)).type).to.equal('ready')
    events.close()
    await refusedHandshake(demo.baseUrl, `/v1/events?key=${wrong}`)

    // Bots: one that works, and one whose token is void by then.
    const bot = await service.sandbox('POST', '/sandbox/applications', { name: 'Second' })
    secrets.set('bot token', bot.body.token)
    const added = await run(['bot', 'add', '--project', demo.projectId, '--json'], {
      dataDir,
      stdin: bot.body.token,
      env: { TOKEN_KEY: configured.TOKEN_KEY },
    })
    expect(added.code, added.stderr).to.equal(0)
    secrets.set(
      'demo bot token',
      String(/"token":\s*"([^"]+)"/.exec(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))?.[1]),
    )
    await told('bot connected')

    // Sound from addresses with something to hide in them.
    secrets.set('signature of an address', 'SIGNED-6ab4')
    const guild = `/v1/music/guilds/${demo.guildId}`
    await service.call('POST', `${guild}/play`, { body: { query: demo.queries[0], channelId: demo.voiceChannelId } })
    const query = `${outside.url}/track.mp3?X-Amz-Signature=SIGNED-6ab4`
    await service.call('POST', `${guild}/play`, { body: { query } })
    await service.call('GET', `${guild}/player`)

    // Outside services that repeat what they were sent.
    await service.call('GET', '/v1/tools/weather?city=Paris')
    await service.call('GET', '/v1/translation/translate?text=Hi&to=de')
    await told('upstream call failed')

    // The dashboard: the link, a wrong password, a way back from Discord that no one took.
    await fetch(demo.dashboardUrl, { redirect: 'manual' })
    const form = new URLSearchParams({ csrf: 'f0'.repeat(32), name: 'ada', password: 'password-typed-31ff' })
    await fetch(`${demo.baseUrl}/dashboard/sign-in`, { method: 'POST', body: form, redirect: 'manual' })
    await fetch(`${demo.baseUrl}/dashboard/discord/back?code=oauth-code-40de&state=oauth-state-51ab`)
    for (const secret of ['password-typed-31ff', 'oauth-code-40de', 'oauth-state-51ab']) secrets.set(secret, secret)

    // A page whose address holds a secret, photographed into a store that refuses our signature.
    const page = `${outside.url}/page?token=PAGE-TOKEN-7d1e`
    secrets.set('token of a page', 'PAGE-TOKEN-7d1e')
    const job = await service.call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(page)}`)
    expect(job.status, JSON.stringify(job.body)).to.equal(200)
    await told('job queued')

    // Redis goes away.
    redis.kill('SIGKILL')
    await once(redis, 'exit')
    await told('redis connection lost')
    await service.call('GET', '/v1/tools/binary/encode?text=b')
    const socket = new WebSocket(`${demo.baseUrl.replace('http', 'ws')}/v1/events?key=${demo.keys.linked}`)
    await once(socket, 'open')
    await service.kill('SIGTERM')

    expect(lines().length).to.be.above(30)
    const all = service.output().split('\n')
    expect(all.filter((line) => line.includes('demo.json')).length, 'the greeting names the file').to.be.above(1)
    for (const [what, secret] of secrets) {
      expect(secret.length, what).to.be.at.least(8)
      // A path is also read with its escapes undone, once and twice.
      const shown = all.filter((line) =>
        [line, unescaped(line), unescaped(unescaped(line))].some((it) => it.includes(secret)),
      )
      expect(shown, what).to.deep.equal([])
    }
    expect(lines().map((line) => JSON.parse(line).msg)).to.include.members(['track started', 'request answered'])
  })
})

function unescaped(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
