import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exchangeBytes, parseAnswers } from '../../../test/support/raw.ts'
import { residentMiB } from '../../process.ts'
import { experiment, NotRun } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { startPlaying } from '../players.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const UNHEARD_MS = 400
/** Ten thousand callers on the same machine take both cores of a small one. */
const CROWD_UNHEARD_MS = 1000
/** The bound is ten seconds, looked at each second. */
const CUT_WITHIN_MS = 14_000
const STATUS_WITHIN_MS = 1000
const MANY = 10_000
const FEW_FILES = 512

const GOOD = 'GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n'
const CLOSING = '\r\nConnection: close\r\n\r\n'

const portOf = ({ baseUrl }: Service) => Number(new URL(baseUrl).port)

/** A connection that keeps saying a little, and what became of it. */
interface Slow {
  readonly kind: string
  readonly socket: Socket
  received: string
  closedAfterMs: number | null
}

interface SlowKind {
  readonly name: string
  readonly count: number
  readonly head: string
  /** Said again and again. */
  readonly more: string
}

function openSlow(tools: Tools, port: number, { name, head, more }: SlowKind): Slow {
  const socket = connect(port, '127.0.0.1')
  const startMs = performance.now()
  const slow: Slow = { kind: name, socket, received: '', closedAfterMs: null }
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (slow.received += chunk.toString('latin1')))
  socket.write(head)
  const timer = more === '' ? undefined : setInterval(() => socket.write(more), 1000)
  socket.once('close', () => {
    clearInterval(timer)
    slow.closedAfterMs = performance.now() - startMs
  })
  tools.own(socket, (it) => it.destroy())
  return slow
}

/** The head of a request with a body, up to what is said of its length. */
const postHead = ({ guildId, keys }: Service) =>
  `POST /v1/music/guilds/${guildId}/play HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.linked}\r\n` +
  'Content-Type: application/json\r\n'

function slowKinds(service: Service): readonly SlowKind[] {
  return [
    { name: 'header lines', count: 500, head: 'GET /v1/status HTTP/1.1\r\nHost: x\r\n', more: 'X-More: 1\r\n' },
    {
      name: 'a body',
      count: 200,
      head: `${postHead(service)}Content-Length: 5000\r\n\r\n`,
      more: ' ',
    },
    { name: 'nothing at all', count: 300, head: '', more: '' },
  ]
}

/** Requests of misbehaving clients, and the statuses it may be answered with. */
function hostileRequests(service: Service): readonly (readonly [string, Buffer | string, readonly number[]])[] {
  const auth = `Authorization: Bearer ${service.keys.linked}\r\n`
  const get = (target: string, more = '') =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\n${auth}${more}Connection: close\r\n\r\n`
  const post = (body: Buffer) =>
    Buffer.concat([
      Buffer.from(`${postHead(service)}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`),
      body,
    ])
  const broken = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc3, 0x28, 0x7d])
  return [
    ['a header of 1 MiB', get('/v1/status', `X-Long: ${'a'.repeat(1024 * 1024)}\r\n`), [431]],
    ['10,000 headers', get('/v1/status', 'X-Many: 1\r\n'.repeat(10_000)), [431]],
    ['a target of 100 kB', get(`/v1/music/search?q=${'a'.repeat(100_000)}`), [400, 414, 422, 431]],
    ['broken UTF-8 in the path', get('/v1/%C3%28/%FF'), [400, 404]],
    ['broken UTF-8 in the query', get('/v1/music/search?q=%C3%28%FF'), [400, 422]],
    [
      'raw bytes in the path',
      Buffer.concat([Buffer.from('GET /v1/'), broken, Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n')]),
      [400, 404],
    ],
    ['broken UTF-8 in a body', post(broken), [400, 404, 405, 422]],
    ['a NUL in a header', get('/v1/status', 'X-Nul: a\u0000b\r\n'), [400]],
    ['two lengths', get('/v1/status', 'Content-Length: 1\r\nContent-Length: 2\r\n'), [400]],
    ['a length and chunks', get('/v1/status', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'), [400]],
    ['a chunk of 2^64 bytes', `${postHead(service)}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`, [400]],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex'), [400]],
    ['noise', Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 197 + 31) % 256)), [400]],
  ]
}

function nodeWithFewFiles(tools: Tools): string {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-files-'))
  tools.own(folder, (it) => rmSync(it, { recursive: true, force: true }))
  const script = join(folder, 'node')
  writeFileSync(script, `#!/bin/sh\nulimit -n ${FEW_FILES}\nexec '${process.execPath}' "$@"\n`)
  chmodSync(script, 0o755)
  return script
}

function mostFiles(): number {
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0)
}

/** Calls over one connection that was there before. */
function createPatron(tools: Tools, { baseUrl, keys }: Service) {
  const agent = tools.own(new Agent({ keepAlive: true, maxSockets: 1 }), (it) => it.destroy())
  return (method: string, path: string, body?: unknown): Promise<{ status: number; isReused: boolean }> =>
    new Promise((resolve) => {
      const headers = { authorization: `Bearer ${keys.linked}`, 'content-type': 'application/json' }
      const asking = request(baseUrl + path, { agent, method, headers }, (response) => {
        response
          .resume()
          .once('end', () => resolve({ status: response.statusCode ?? 0, isReused: asking.reusedSocket }))
      })
      asking.once('error', () => resolve({ status: 0, isReused: asking.reusedSocket }))
      asking.end(body === undefined ? undefined : JSON.stringify(body))
    })
}

/** Who connects, and what they send. */
export const CONNECTIONS = [
  experiment({
    number: '13a',
    title: '1,000 connections send header lines or a body a little a second, or nothing at all',
    passes:
      'each is closed within 14 s, with 408 in words; status answers all the time within 1 s; no gap of 0.4 s in the sound',
    limitMs: 90_000,
    async run(tools) {
      const { service, sound } = await startPlaying(tools)
      const probe = startProbe(tools, service, { path: '/v1/status' })
      const kinds = slowKinds(service)
      const slow = kinds.flatMap((kind) =>
        Array.from({ length: kind.count }, () => openSlow(tools, portOf(service), kind)),
      )
      await sleep(CUT_WITHIN_MS)
      for (const { name, count } of kinds) {
        const mine = slow.filter(({ kind }) => kind === name)
        const closed = mine.filter(({ closedAfterMs }) => closedAfterMs !== null)
        const told = mine.filter(({ received }) => parseAnswers(received)[0]?.body?.requestId !== undefined)
        const statuses = [...new Set(mine.map(({ received }) => parseAnswers(received)[0]?.status))].join(', ')
        const lastS = (Math.max(...closed.map(({ closedAfterMs }) => closedAfterMs ?? 0)) / 1000).toFixed(1)
        tools.must(
          closed.length === count && told.length === count,
          `${name}: ${closed.length} of ${count} closed within ${lastS} s, ${told.length} with ${statuses}`,
        )
      }
      const report = probe.report()
      tools.must(areAll(report, 200) && report.longestMs < STATUS_WITHIN_MS, `status: ${inWords(report)}`)
      const gapMs = await sound.gapMs()
      tools.must(gapMs < UNHEARD_MS, `longest gap in the sound ${gapMs} ms`)
    },
  }),
  experiment({
    number: '13b',
    title: `${MANY.toLocaleString('en')} connections that begin a request and do not end it`,
    passes:
      'a new caller is answered within 1 s, memory up by 150 MiB at most, no gap of a second in the sound, all are gone within 20 s',
    limitMs: 90_000,
    async run(tools) {
      if (mostFiles() < MANY + 2000) throw new NotRun(`this user may open ${mostFiles()} files at most (ulimit -n)`)
      const { service, sound } = await startPlaying(tools)
      const [beforeMiB, fromMs] = [residentMiB(service.pid), performance.now()]
      const kind = { name: 'begun', count: MANY, head: 'GET /v1/status HTTP/1.1\r\n', more: '' }
      const held: Slow[] = []
      // So many at a time that no queue of new connections overflows.
      while (held.length < MANY) {
        const some = Array.from({ length: 500 }, () => openSlow(tools, portOf(service), kind))
        await Promise.all(
          some.map(
            ({ socket }) => new Promise((resolve) => void socket.once('connect', resolve).once('close', resolve)),
          ),
        )
        held.push(...some)
      }
      const openMs = Math.round(performance.now() - fromMs)
      const open = held.filter(({ closedAfterMs }) => closedAfterMs === null).length
      const startMs = performance.now()
      const { status } = await service.call('GET', '/v1/status')
      const statusMs = Math.round(performance.now() - startMs)
      const grownMiB = Math.round(residentMiB(service.pid) - beforeMiB)
      tools.must(
        status === 200 && statusMs < STATUS_WITHIN_MS,
        `${open} open after ${openMs} ms; status ${status} after ${statusMs} ms`,
      )
      tools.must(grownMiB < 150, `memory ${grownMiB} MiB more`)
      const goneMs = await until(
        'all are gone',
        () => held.every(({ closedAfterMs }) => closedAfterMs !== null),
        20_000,
      )
      const gapMs = await sound.gapMs()
      tools.must(gapMs < CROWD_UNHEARD_MS, `all gone ${goneMs} ms later, longest gap in the sound ${gapMs} ms`)
    },
  }),
  experiment({
    number: '13c',
    title: `more connections than the system lets the process have files (${FEW_FILES})`,
    passes:
      'the process lives; who was connected is answered, and music starts meanwhile; new callers are let in when the crowd is gone',
    limitMs: 90_000,
    async run(tools) {
      const { service, ear, sound } = await startPlaying(tools, { execPath: nodeWithFewFiles(tools) })
      const ask = createPatron(tools, service)
      await ask('GET', '/v1/status')
      const kind = { name: 'crowd', count: 1000, head: 'GET /v1/status HTTP/1.1\r\n', more: '' }
      const crowd = Array.from({ length: kind.count }, () => openSlow(tools, portOf(service), kind))
      await sleep(2000)
      const turnedAway = crowd.filter(({ closedAfterMs }) => closedAfterMs !== null).length
      const status = await ask('GET', '/v1/status')
      const guild = `/v1/music/guilds/${service.guildId}`
      const search = await ask('GET', '/v1/music/search?q=tone')
      const queued = await ask('POST', `${guild}/play`, { query: TRACKS.tone, channelId: service.channelId })
      const skipped = await ask('POST', `${guild}/skip`)
      const count = ear.count
      await sleep(1500)
      tools.must(
        [status, search, queued, skipped].every((one) => one.status === 200 && one.isReused),
        `${turnedAway} of ${kind.count} turned away; over a connection of before: status ${status.status}, search ${search.status}, play ${queued.status}, skip ${skipped.status}`,
      )
      tools.must(ear.count > count + 25, `${ear.count - count} frames heard in the next 1.5 s`)
      const goneMs = await until('the crowd is gone', () => crowd.every((one) => one.closedAfterMs !== null), 20_000)
      const [back] = parseAnswers(await exchangeBytes(portOf(service), GOOD.replace('\r\n\r\n', CLOSING)))
      tools.must(back?.status === 200, `gone ${goneMs} ms later; a new caller is answered ${back?.status ?? 'nothing'}`)
      tools.saw(`longest gap in the sound ${await sound.gapMs()} ms`)
    },
  }),
  experiment({
    number: '13d',
    title: 'a header of 1 MiB, pipelined garbage, broken UTF-8, requests that say two things at once',
    passes:
      'each is refused with its status, a request id and words; nothing is answered behind the garbage; no gap of 0.4 s in the sound',
    limitMs: 60_000,
    async run(tools) {
      const { service, sound } = await startPlaying(tools)
      for (const [name, bytes, allowed] of hostileRequests(service)) {
        const answer = parseAnswers(await exchangeBytes(portOf(service), bytes))[0]
        const hasWords =
          typeof answer?.body?.error?.message === 'string' && answer.body.requestId === answer.headers['x-request-id']
        tools.must(
          answer !== undefined && allowed.includes(answer.status) && hasWords,
          `${name}: ${answer?.status ?? 'no answer'}`,
        )
      }
      const answers = parseAnswers(
        await exchangeBytes(portOf(service), `${GOOD}${GOOD}\u0001\u0002 garbage\r\n\r\n${GOOD}`),
      )
      const statuses = answers.map(({ status }) => status).join(', ')
      tools.must(/^(200, 200, )?400$/.test(statuses), `two requests, garbage, a request: ${statuses}, closed`)
      const gapMs = await sound.gapMs()
      tools.must(gapMs < UNHEARD_MS, `longest gap in the sound ${gapMs} ms`)
    },
  }),
]
