import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { SNIPPETS } from '../../../web/dashboard/pages/webhooks/snippets.ts'
import { WEBHOOK_EVENTS } from '../../../db/webhooks/webhooks.ts'
import { signatureOf } from '../../../api/webhooks/signature.ts'
import { closing } from '../../support/closing.ts'
import { temporaryFolder } from '../../support/database.ts'
import { isSignedBy, startReceiver, type Received } from '../../support/webhooks.ts'

const run = promisify(execFile)
const guide = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function message(secrets: readonly string[], ageSeconds = 0): Message {
  const [id, timestamp, body] = [
    'msg_1',
    Math.floor(Date.now() / 1000) - ageSeconds,
    '{"type":"test","title":"Größe ♪"}',
  ]
  const signature = signatureOf(id, timestamp, body, secrets)
  return { headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }, body }
}

describe('the guide to webhooks', () => {
  const own = closing()
  const folder = temporaryFolder()
  const [secret, other] = [newSecret(), newSecret()]
  after(() => folder.remove())

  /** Messages that a recipe must accept now, and messages that it must refuse. */
  const casesNow = () => ({
    taken: [message([secret]), message([other, secret])],
    refused: [
      message([other]),
      message([secret], 3600),
      message([secret], -3600),
      { ...message([secret]), body: '{"type":"test"}' },
      { headers: { ...message([secret]).headers, 'webhook-id': 'msg_2' }, body: message([secret]).body },
      { headers: { ...message([secret]).headers, 'webhook-timestamp': 'x' }, body: message([secret]).body },
    ],
  })

  it('has the lines that the dashboard shows, and names every event', () => {
    for (const code of Object.values(SNIPPETS)) expect(guide).to.include(code)
    for (const type of WEBHOOK_EVENTS) expect(guide).to.include(`| \`${type}\``)
    const [, example = ''] = /```json\n(.*?)```/s.exec(guide) ?? []
    expect(Object.keys(JSON.parse(example))).to.deep.equal(['type', 'timestamp', 'data'])
  })

  it('has JavaScript that takes what is signed and nothing else', async () => {
    const file = join(folder.path, 'verify.mjs')
    writeFileSync(file, SNIPPETS.JavaScript)
    const { verified } = (await import(pathToFileURL(file).href)) as {
      verified: (secret: string, headers: Message['headers'], body: string) => { type: string }
    }
    const cases = casesNow()
    for (const { headers, body } of cases.taken) expect(verified(secret, headers, body).type).to.equal('test')
    for (const { headers, body } of cases.refused) expect(() => verified(secret, headers, body)).to.throw(Error)
  })

  it('has Python that does the same', async function () {
    const hasPython = await run('python3', ['--version']).then(
      () => true,
      () => false,
    )
    if (!hasPython) this.skip()
    const check = `
cases = json.loads(${JSON.stringify(JSON.stringify(casesNow()))})
for one in cases["taken"]:
    assert verified("${secret}", one["headers"], one["body"].encode())["type"] == "test"
for one in cases["refused"]:
    try:
        verified("${secret}", one["headers"], one["body"].encode())
    except ValueError:
        continue
    raise SystemExit("It took " + json.dumps(one))
`
    await run('python3', ['-c', SNIPPETS.Python + check], { timeout: 20_000 })
  })

  it('has lines for the shell that send a message of the same kind', async () => {
    const receiver = own(await startReceiver())
    const [, code = ''] = /```sh\n(.*?)```/s.exec(guide) ?? []
    const env = { PATH: process.env['PATH'], SECRET: secret, RECEIVER: receiver.url }
    await run('bash', ['-ec', code], { env, timeout: 20_000 })
    const [received] = await receiver.count(1)
    expect(await isSignedBy(secret, received as Received)).to.equal(true)
    expect(await isSignedBy(other, received as Received)).to.equal(false)
  })
})
