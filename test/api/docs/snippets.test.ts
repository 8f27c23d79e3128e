import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { snippetsOf, type CallToWrite } from '../../../api/docs/reference/snippets.ts'

const run = promisify(execFile)

/** Languages that every machine running these tests can run. */
const RUNNERS: Readonly<Record<string, readonly [command: string, file: string]>> = {
  shell: ['sh', 'call.sh'],
  javascript: [process.execPath, 'call.mjs'],
  python: ['python3', 'call.py'],
}

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

describe('snippets of the reference', function () {
  // Each starts an interpreter.
  this.timeout(60_000)
  const seen: Seen[] = []
  let server: Server
  let baseUrl: string
  let folder: string
  before(async () => {
    server = createServer((req, res) => void answer(req, res))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    folder = mkdtempSync(join(tmpdir(), 'snippets-'))
    writeFileSync(join(folder, 'picture.png'), 'a picture')
  })
  after(() => {
    rmSync(folder, { recursive: true })
    server.closeAllConnections()
    server.close()
  })

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: await text(req) })
    const isPicture = req.headers.accept === 'image/png'
    res.setHeader('content-type', isPicture ? 'image/png' : 'application/json')
    res.end(isPicture ? 'PNG' : '{"data":"here it is"}')
  }

  async function call(
    id: string,
    what: CallToWrite,
  ): Promise<{ readonly stdout: string; readonly got: Seen | undefined }> {
    const code = snippetsOf(what).find((snippet) => snippet.id === id)?.code ?? ''
    const [command, file] = RUNNERS[id] ?? ['', '']
    writeFileSync(join(folder, file), code)
    const { stdout } = await run(command, [file], { cwd: folder })
    return { stdout, got: seen.at(-1) }
  }

  const plain = { needsKey: true, isSocket: false }
  const nasty = `don't "stop" \\ $HOME \`id\` é 🎺 \u2028`

  for (const id of Object.keys(RUNNERS)) {
    it(`in ${id} send what was filled in as it is, and show the answer`, async () => {
      const json = JSON.stringify({ query: nasty, n: 1 })
      const { stdout, got } = await call(id, {
        ...plain,
        method: 'POST',
        url: `${baseUrl}/v1/play?q=it's%20%24HOME`,
        json,
      })
      expect(stdout).to.include('here it is')
      expect([got?.method, got?.body]).to.deep.equal(['POST', json])
      expect(decodeURIComponent(got?.url ?? '')).to.equal("/v1/play?q=it's $HOME")
      expect(got?.headers.authorization).to.equal('Bearer svc.YOUR_KEY')
      expect(got?.headers['content-type']).to.equal('application/json')
    })

    it(`in ${id} send a file and save the picture that comes back`, async () => {
      const answer = join(folder, 'answer.png')
      rmSync(answer, { force: true })
      const what = { ...plain, method: 'POST', url: `${baseUrl}/v1/sepia`, accept: 'image/png', file: 'picture.png' }
      const { got } = await call(id, what)
      expect(readFileSync(answer, 'utf8')).to.equal('PNG')
      expect(got?.body).to.equal('a picture')
    })

    it(`in ${id} call what needs no key without one`, async () => {
      const { stdout, got } = await call(id, { ...plain, needsKey: false, method: 'GET', url: `${baseUrl}/v1/status` })
      expect(stdout).to.include('here it is')
      expect([got?.method, got?.headers.authorization]).to.deep.equal(['GET', undefined])
    })
  }

  it('are the same call in ten languages', () => {
    const what = { ...plain, method: 'DELETE', url: 'https://music.example/v1/x?q=%27', json: `{"a":"it's"}` }
    const all = snippetsOf(what)
    expect(all.map(({ label }) => label).join()).to.equal('Shell,JavaScript,Python,Go,Java,Kotlin,C#,PHP,Ruby,Rust')
    for (const { code, id } of all) {
      expect(code, id)
        .to.include('music.example/v1/x?q=%27')
        .and.include('Bearer svc.YOUR_KEY')
        .and.match(/DELETE|Delete/)
    }
  })
})
