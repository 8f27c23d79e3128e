import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { KeyRecord } from '../../../api/http/app-context.ts'
import type { Use } from '../../../lib/usage.ts'
import { createPlayerCeiling } from '../../../bot/player-ceiling.ts'
import { systemClock } from '../../../bot/player/timers.ts'
import { createLavalink } from '../../../api/lavalink/http/lavalink.ts'
import { createProjectKeys } from '../../../api/lavalink/http/project-keys.ts'
import type { TrackKnowledge } from '../../../api/lavalink/tracks/open-tracks.ts'
import type { TrackService } from '../../../api/lavalink/tracks/track-service.ts'
import { Fault } from '../../../lib/errors.ts'
import { createLog } from '../../../lib/log.ts'
import type { LoggedRequest } from '../../../lib/request-log/request-log.ts'
import { countLoads } from '../../../service/telemetry/lavalink-metrics.ts'
import { createMetrics } from '../../../service/telemetry/metrics.ts'
import { keyDigest } from '../../../db/projects/keys.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createFakeAudioNode } from '../../support/fake-audio-node.ts'

const KEY = `svc.${'a1'.repeat(32)}`
const REVOKED = `svc.${'b2'.repeat(32)}`
const RECORD: KeyRecord = {
  id: 'key-of-a-bot',
  projectId: 'one',
  plan: 'free',
  botId: null,
  poolId: null,
  poolBotIds: [],
  isBotRemoved: false,
  allow: null,
  classes: null,
  revokedAtMs: null,
  expiresAtMs: null,
}

const unasked = () => Promise.reject(new Error('This is not asked here.'))

const TRACKS: TrackService = {
  load: async (identifier) => {
    if (identifier === 'broken') throw new Error('a bug')
    return { loadType: 'empty', data: null }
  },
  resolve: unasked,
  decode: () => {
    throw new Fault('bad_request', 'This is no track.')
  },
  read: () => {
    throw new Fault('bad_request', 'This is no track.')
  },
  encode: () => {
    throw new Error('This is not asked here.')
  },
  open: unasked,
}

// A request is counted and logged before its answer is sent.
describe('what the service keeps of Lavalink requests', () => {
  const uses: Use[] = []
  const logged: LoggedRequest[] = []
  const registry = new Registry()
  let api: TestApi

  before(async () => {
    const records = new Map([
      [keyDigest(KEY).toString('hex'), RECORD],
      [keyDigest(REVOKED).toString('hex'), { ...RECORD, id: 'key-revoked', revokedAtMs: 1 }],
    ])
    const keys = { findByDigest: async (digest: Buffer) => records.get(digest.toString('hex')) ?? null }
    const ceiling = createPlayerCeiling({ ownPlayers: () => [], countElsewhere: () => 4 })
    const lavalink = createLavalink({
      nodes: [createFakeAudioNode()],
      tracks: countLoads(registry, TRACKS),
      knowledge: {} as TrackKnowledge,
      keys: createProjectKeys(keys, Date.now),
      ceiling: { acquire: ({ projectId }) => ceiling.reserve(projectId, 5) },
      clock: systemClock,
      log: createLog('silent'),
      trustedProxies: [],
    })
    api = await startApi({
      mounts: [lavalink],
      observer: createMetrics(registry),
      app: {
        keys,
        usage: { count: (use) => void uses.push(use) },
        requests: {
          isOn: true,
          lateMs: 0,
          bodies: null,
          admits: () => true,
          nextId: () => logged.length + 1,
          add: (request) => void logged.push(request),
          list: async () => [],
        },
      },
    })
  })
  beforeEach(() => {
    uses.length = 0
    logged.length = 0
  })
  after(() => api.close())

  async function get(path: string, password: string): Promise<number> {
    const { status } = await fetch(api.baseUrl + path, { headers: { authorization: password } })
    return status
  }

  it('counts a use of its route for the project of the key, and writes it into the log without the query', async () => {
    expect(await get('/v4/loadtracks?identifier=a%20secret%20wish', KEY)).to.equal(200)
    const [use] = uses
    const route = { projectId: 'one', keyId: 'key-of-a-bot', routeClass: 'player', route: 'lavalink.tracks.load' }
    expect(use).to.deep.include({ ...route, status: 200 })
    const operation = { operation: 'lavalink.tracks.load', route: '/v4/loadtracks' }
    expect(logged[0]).to.deep.include({ ...operation, path: null, status: 200, code: null, projectId: 'one' })
    expect(JSON.stringify(logged)).not.to.include('secret')
  })

  it('names the path of a session as a template, and the code of a refusal', async () => {
    expect(await get('/v4/sessions/nothing/players/100000000000000001', KEY)).to.equal(404)
    const { operation, route, code, message } = logged[0] ?? {}
    expect({ operation, route, code, message }).to.deep.equal({
      operation: 'lavalink.players.get',
      route: '/v4/sessions/{sessionId}/players/{guildId}',
      code: 'not_found',
      message: 'Session not found',
    })
  })

  it('tells the project of a revoked key that it is still sent, and of an unknown key no project', async () => {
    for (const password of [REVOKED, `Bearer ${REVOKED}`]) expect(await get('/v4/stats', password)).to.equal(403)
    expect(await get('/v4/stats', `svc.${'c3'.repeat(32)}`)).to.equal(403)
    expect(await get('/v4/stats', KEY)).to.equal(200)
    expect(logged.map(({ keyId, code }) => [keyId, code])).to.deep.equal([
      ['key-revoked', 'invalid_api_key'],
      ['key-revoked', 'invalid_api_key'],
      ['key-of-a-bot', null],
    ])
  })

  it('measures requests by route, and loads by what came of them', async () => {
    await get('/v4/loadtracks?identifier=nothing', KEY)
    const text = await registry.metrics()
    expect(text).to.match(/http_requests_total\{route="lavalink\.tracks\.load",method="GET",status="200"\} [1-9]/)
    expect(text).to.match(/lavalink_loads_total\{type="empty"\} [1-9]/)
  })
})
