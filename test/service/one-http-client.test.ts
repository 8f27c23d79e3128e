import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')

/** Sends a form with a file from the main thread and imports `node:http` in another one; each says what it has loaded. */
const SCRIPT = `
import { Worker } from 'node:worker_threads'
const hasCopy = "process.moduleLoadList.some((name) => name.includes('internal/deps/undici'))"
await import('node:http')
const form = new FormData()
form.set('file', new Blob(['la la']), 'song.txt')
const answer = await fetch(process.argv[1], { method: 'POST', body: form })
const inThreadScript = "import { parentPort } from 'node:worker_threads'; import 'node:http'; parentPort.postMessage(" + hasCopy + ")"
const thread = new Worker(inThreadScript, { eval: true })
const inThread = await new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject))
await thread.terminate()
console.log(JSON.stringify({ text: await answer.text(), inMain: eval(hasCopy), inThread }))
`

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  response.end(`${String(request.headers['content-type']).split(';')[0]} ${body.includes('la la')}`)
}

describe('the client behind the global fetch', () => {
  const server = createServer((request, response) => void answer(request, response))

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => server.close())

  it('is the package, which sends forms, and the copy in Node.js is not loaded in any thread', async () => {
    const preload = join(ROOT, 'scripts', 'setup', 'one-http-client.mjs')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const args = ['--import', preload, '--input-type=module', '--eval', SCRIPT, url]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(JSON.parse(stdout)).to.deep.equal({ text: 'multipart/form-data true', inMain: false, inThread: false })
  })
})
