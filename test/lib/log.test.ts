import { expect } from 'chai'
import { createLog } from '../../lib/log.ts'
import { runInContext } from '../../lib/request-context.ts'
import { leastCpuMs, CPU_MAX_MS } from '../support/cpu-time.ts'

const key = `svc.${'0f'.repeat(32)}`
const botToken = `ODEzODQ3ODg3NjU3MTIzODQ.GxYz12.${'aB3_-'.repeat(7)}xyz`

function writing(known: readonly string[] = []) {
  const lines: any[] = []
  const log = createLog('trace', { write: (line: string) => void lines.push(JSON.parse(line)) }, known)
  return { log, lines }
}

describe('the log', () => {
  it('hides the secrets of an address within an address, and those with question marks in them', () => {
    const { log, lines } = writing()
    log.info({ url: 'http://a/?url=http://b/?token=abc?def&page=2', err: new Error(`got ${botToken}.`) }, 'asked')
    expect(lines[0].url).to.equal('http://a/?url=http://b/?token=…&page=2')
    expect(lines[0].err.message).to.equal('got …')
  })

  it('writes a text at once no matter what it holds', async () => {
    const { log } = writing()
    for (const unit of ['?', '?key', '&auth', 'a-', '0-.', '://', 'svc.'])
      expect(await leastCpuMs(async () => log.info({ err: new Error(unit.repeat(20_000)) }, 'seen')), unit).to.be.below(
        CPU_MAX_MS,
      )
  })

  it('says of a line which request it comes of, also after waits, and not of what outlives the request', async () => {
    const { log, lines } = writing()
    const later = Promise.withResolvers<void>()
    let outliving = Promise.resolve()
    await runInContext({ fields: { requestId: 'r1' }, isOver: false }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      log.child({ guildId: '1' }).info('inside')
      outliving = later.promise.then(() => log.info('outside'))
    })
    later.resolve()
    await outliving
    expect(lines.map(({ requestId, guildId, msg }) => [requestId, guildId, msg])).to.deep.equal([
      ['r1', '1', 'inside'],
      [undefined, undefined, 'outside'],
    ])
  })

  it('keeps two requests apart that are served at once', async () => {
    const { log, lines } = writing()
    const serve = (requestId: string) =>
      runInContext({ fields: { requestId }, isOver: false }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 2))
        log.info({ own: requestId }, 'served')
      })
    await Promise.all(['a', 'b', 'c'].map(serve))
    expect(lines).to.have.length(3)
    for (const { own, requestId } of lines) expect(requestId).to.equal(own)
  })

  it('shows of an error what it says, where it came from and its causes, and none of the requests that hang on it', () => {
    const { log, lines } = writing()
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', config: { auth: 'hidden' } })
    log.error({ err: Object.assign(new Error('no answer', { cause }), { requestBody: 'hidden' }) }, 'failed')
    const [{ err }] = lines
    expect(err).to.include({ type: 'Error', message: 'no answer' })
    expect(err.stack).to.include('log.test.ts')
    expect(err.cause).to.include({ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' })
    expect(JSON.stringify(lines)).not.to.include('hidden')
  })

  it('leaves out what looks like a secret, wherever it stands in an error, an address or a text', () => {
    const { log, lines } = writing(['a-configured-secret'])
    const secrets = [key, botToken, 'hunter2pass', 'SIGNED', 'INTERACTION', 'HOOK', 'a-configured-secret']
    const text = [
      key,
      botToken,
      'redis://:hunter2pass@10.0.0.1:6379/0 https://me:hunter2pass@host/',
      'https://cdn.example/a.mp3?X-Amz-Signature=SIGNED&ok=1 https://x/?a=1&access_token=SIGNED',
      '/interactions/1/INTERACTION/callback /webhooks/2/HOOK',
      'the key a-configured-secret is wrong',
    ].join(' ')
    log.warn({ err: new Error(text), uri: text, url: text, complaint: text, body: text, why: text }, 'failed')
    // Of tasks that hang, and of jobs.
    log.warn({ identity: text, subject: text, quarantined: text, error: text }, 'ended')
    for (const name of ['token', 'key', 'authorization', 'password', 'secret', 'cookie']) {
      log.info({ [name]: key, inner: { [name]: botToken, deeper: { [name]: 'hunter2pass' } } }, 'said')
    }
    const written = JSON.stringify(lines)
    for (const secret of secrets) expect(written, secret).not.to.include(secret)
    expect(lines[0].uri).to.include('https://cdn.example/a.mp3?X-Amz-Signature=…&ok=1')
  })
})
