/**
 * Thousands of requests to the running service, generated from its own OpenAPI document and bent in every way: every
 * answer must be one that the document declares, none a 500, and the memory must not grow. What the service asks
 * outside answers nonsense. `npm run fuzz -- --count 100000 --seed 1`
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Pool } from 'undici'
import { toApiFault } from '../api/http/errors.ts'
import { createKeys } from '../db/projects/keys.ts'
import { openDatabase } from '../db/engine/open.ts'
import { createSqliteStore } from '../db/engine/sqlite-store.ts'
import { createProjects } from '../db/projects/projects.ts'
import { startService, type RunningService } from '../test/support/service.ts'
import { LOOKUP_ENV } from '../upstream/http/settings.ts'
import { createGenerator, type Generated, type Known } from './generate.ts'
import { collectedMemory, INSPECTED } from './inspect.ts'
import { createRandom } from '../lib/random/seeded-random.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '15' },
  },
})
const COUNT = Number(values.count)
const seed = Number(values.seed)
const IN_FLIGHT = 24
/** The plan allows 6,000 requests of a class and 100 more each second. */
const PROJECTS = Math.max(4, Math.ceil(COUNT / 3000))
const MAX_FAULTS = 30
const BUG = toApiFault(null).message

const faults = new Map<string, { times: number; example: string }>()
const statuses = new Map<number, number>()

function fault(what: string, request: Generated, answer: string): void {
  const known = faults.get(what)
  if (known) known.times++
  else
    faults.set(what, {
      times: 1,
      example: `${request.method} ${request.path.slice(0, 400)}\n    ${request.body?.slice(0, 300) ?? ''}\n    → ${answer.slice(0, 400)}`,
    })
}

/** An outside service at its worst, and sometimes at its slowest. */
function startNonsense(): Promise<Server> {
  const random = createRandom(seed)
  const texts = [
    '{}',
    '[]',
    'null',
    '',
    '<html>',
    '{"data":[]}',
    '{"error":"no"}',
    '"',
    '{"results":[{"id":1}]}',
    'x'.repeat(9000),
  ]
  const server = createServer((req, res) => {
    req.resume()
    const status = [200, 200, 200, 404, 429, 500, 503][Math.floor(random() * 7)] ?? 200
    const text = texts[Math.floor(random() * texts.length)] ?? ''
    if (random() < 0.02) return void res.destroy()
    setTimeout(() => res.writeHead(status, { 'content-type': 'application/json' }).end(text), random() < 0.02 ? 500 : 0)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** Projects beside the demo's, each with a key, so that limits do not refuse everything. */
async function makeKeys(dataDir: string) {
  const db = openDatabase({ dataDir, busyMs: 5000 })
  const store = createSqliteStore(db)
  const projects = createProjects(store)
  const keys = createKeys(store)
  const metered: string[] = []
  for (let i = 0; i < PROJECTS; i++) {
    const { id: projectId } = await projects.create({ name: `Fuzz ${i}`, plan: 'scale' })
    metered.push((await keys.create({ projectId })).key)
  }
  const { id: projectId } = await projects.create({ name: 'Fuzz free', plan: 'free' })
  const free = (await keys.create({ projectId })).key
  const revoked = await keys.create({ projectId })
  await keys.revoke(projectId, revoked.id)
  await store.close()
  return { metered, bad: [free, revoked.key, `svc.${'0'.repeat(64)}`, 'nonsense'] }
}

async function knownOf(service: RunningService): Promise<Known> {
  const { demo } = service
  const tokens: string[] = []
  for (const query of demo.queries) {
    const { body } = await service.call('GET', `/v1/music/search?q=${encodeURIComponent(query)}`)
    for (const { encoded } of body.data) tokens.push(encoded)
  }
  return {
    values: {
      guildId: [demo.guildId],
      channelId: [demo.voiceChannelId, demo.secondVoiceChannelId, demo.textChannelId],
      encoded: tokens,
      query: demo.queries,
      q: [...demo.queries, 'a'],
    },
    keys: { ...(await makeKeys(service.dataDir)), linked: [demo.keys.linked] },
  }
}

function createJudge(document: any) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', ...document })
  const validators = new Map<string, ValidateFunction>()
  const validate = (pointer: string, body: unknown) => {
    let validator = validators.get(pointer)
    if (!validator) validators.set(pointer, (validator = ajv.compile({ $ref: `api#${pointer}` })))
    return validator(body) ? null : ajv.errorsText(validator.errors)
  }
  return (request: Generated, status: number, headers: Record<string, unknown>, text: string) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const { operationId, url, verb, method } = request
    if (!headers['x-request-id']) fault(`${operationId}: no request id`, request, `${status}`)
    // Some routes declare a 500 for an outside service that failed; it says so. A bug of ours says nothing of itself.
    if (status === 500 && text.includes(BUG)) return fault(`${operationId}: 500`, request, text)
    if (method === 'HEAD' || method === 'OPTIONS' || status === 304) return
    const isJson = String(headers['content-type']).startsWith('application/json')
    const isOther = method !== verb || request.path.includes('//') || /\/(?:\?|$)/.test(request.path)
    const declared = document.paths[url][verb.toLowerCase()].responses[status]
    if (!isOther && !declared) return fault(`${operationId}: ${status} is not declared`, request, text)
    const media = declared?.content?.['application/json']
    if (!isJson) {
      if (!declared?.content?.[String(headers['content-type']).split(';')[0] ?? ''])
        fault(`${operationId}: ${status} is no JSON`, request, text)
      return
    }
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return fault(`${operationId}: ${status} is broken JSON`, request, text)
    }
    const pointer =
      isOther || !media
        ? '/components/schemas/Error'
        : `/paths/${url.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${verb.toLowerCase()}/responses/${status}/content/application~1json/schema`
    // Where a bent path leads to another operation its success is not looked at.
    if (isOther && status < 400) return
    const wrong = validate(pointer, body)
    if (wrong) fault(`${operationId}: ${status} does not fit: ${wrong.slice(0, 200)}`, request, text)
  }
}

function inflated(bytes: Buffer, coding: unknown): string {
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

async function bombard(service: RunningService, known: Known, count: number, seed: number): Promise<number> {
  const document = (await service.call('GET', '/openapi.json', { key: null })).body
  const generate = createGenerator(document, known, seed)
  const judge = createJudge(document)
  const pool = new Pool(service.demo.baseUrl, { connections: IN_FLIGHT })
  const deadline = performance.now() + Number(values.minutes) * 60_000
  let sent = 0
  const work = async () => {
    while (sent < count && performance.now() < deadline && faults.size < MAX_FAULTS) {
      sent++
      const request = generate()
      const { method, path, headers, body } = request
      try {
        const answer = await pool.request({ method, path, headers, body, headersTimeout: 30_000 })
        const bytes = Buffer.from(await answer.body.arrayBuffer())
        judge(request, answer.statusCode, answer.headers, inflated(bytes, answer.headers['content-encoding']))
      } catch (error) {
        fault(`${request.operationId}: ${error instanceof Error ? error.message : String(error)}`, request, '')
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  await pool.close()
  return sent
}

const nonsense = await startNonsense()
const { port } = nonsense.address() as AddressInfo
const urls = Object.keys(LOOKUP_ENV).filter((name) => name.endsWith('_URL'))
const env = Object.fromEntries(urls.map((name) => [name, `http://127.0.0.1:${port}`]))
const service = await startService({
  hasRenderer: true,
  env: {
    ...env,
    ...INSPECTED,
    HTTPS_PROXY: '',
    DETECT_MODEL: 'extrasmall',
    LOG_LEVEL: 'error',
    UPSTREAM_TIMEOUT_MS: '1000',
  },
})
try {
  const pid = service.process.pid ?? 0
  const known = await knownOf(service)
  const memory = () => collectedMemory(service.output(), pid)
  // Everything has been used once by then: libraries are loaded, caches are begun.
  const warmed = await bombard(service, known, Math.ceil(COUNT / 20), seed + 1)
  const before = await memory()
  const startMs = performance.now()
  const sent = await bombard(service, known, COUNT - warmed, seed)
  const seconds = (performance.now() - startMs) / 1000
  const after = await memory()
  const byStatus = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  console.log(
    `${warmed + sent} requests, seed ${seed}, ${(sent / seconds).toFixed(0)} a second; ${byStatus.join(', ')}`,
  )
  for (const [name, of] of [
    ['before', before],
    ['after', after],
  ] as const) {
    console.log(
      `memory after a collection, ${name}: heap ${of.heapMiB.toFixed(1)} MiB, resident ${of.residentMiB.toFixed(1)} MiB`,
    )
  }
  console.log(
    `growth: heap ${(after.heapMiB - before.heapMiB).toFixed(1)} MiB, resident ${(after.residentMiB - before.residentMiB).toFixed(1)} MiB (goal: at most 50)`,
  )
  console.log(`${faults.size} kinds of faults`)
  for (const [what, { times, example }] of faults) console.log(`- ${what} (${times} times)\n    ${example}`)
  const errors = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"') && !line.includes('"type":"UpstreamFailure"'))
  console.log(`${errors.length} errors in the log`)
  for (const line of errors.slice(0, 5)) console.log(line.slice(0, 1500))
  process.exitCode = faults.size > 0 || errors.length > 0 || service.process.exitCode !== null ? 1 : 0
} finally {
  await service.stop()
  nonsense.close()
}
