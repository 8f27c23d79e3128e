import { expect } from 'chai'
import type { DashboardContext } from '../../../web/dashboard/http/context.ts'
import type { NodePlayerView, SessionView } from '../../../api/lavalink/sessions/session-directory.ts'
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts'

const SESSION = 'a'.repeat(32)
const GUILD = '100000000000000001'

const PLAYER: NodePlayerView = {
  guildId: GUILD,
  track: {
    encoded: 'QAAA',
    info: {
      identifier: 'harbour',
      isSeekable: true,
      author: 'The Piers',
      length: 200_000,
      isStream: false,
      position: 0,
      title: 'Morning <ferry>',
      uri: null,
      sourceName: 'local',
      artworkUrl: null,
      isrc: null,
    },
    pluginInfo: {},
    userData: {},
  },
  volume: 80,
  paused: false,
  state: { time: 0, position: 63_000, connected: true, ping: 21 },
  voice: { token: 'a voice token', endpoint: 'voice.test', sessionId: 'a voice session', channelId: null },
  filters: { timescale: { speed: 1.1, pitch: 1, rate: 1 }, volume: 1 },
  frames: { sent: 2900, nulled: 98, deficit: 2 },
}

const view = (over: Partial<SessionView> = {}): SessionView => ({
  id: SESSION,
  clientName: 'lavalink-client/2.5.0 <b>',
  userId: '700000000000000001',
  keyId: 'key_of_another_time',
  openedAtMs: Date.now() - 120_000,
  lostAtMs: null,
  isResuming: true,
  timeoutSeconds: 60,
  players: [PLAYER],
  ...over,
})

describe('dashboard: Lavalink sessions', () => {
  let dashboard: TestDashboard
  let sessions: Map<string, SessionView>

  const directory: DashboardContext['lavalink'] = {
    list: (projectId) => [sessions.get(projectId)].filter((session) => session !== undefined),
    async end(projectId, id) {
      const session = sessions.get(projectId)
      if (session?.id !== id) return null
      sessions.delete(projectId)
      return session
    },
    async stopPlayer(projectId, id, guildId) {
      const session = sessions.get(projectId)
      const player = session?.id === id ? session.players.find((one) => one.guildId === guildId) : undefined
      if (!session || !player) return null
      sessions.set(projectId, { ...session, players: [] })
      return player
    },
  }

  beforeEach(async () => {
    sessions = new Map()
    dashboard = await startDashboard({ lavalink: directory })
  })
  afterEach(() => dashboard.close())

  async function visit(role: 'manager' | 'viewer', language = 'en') {
    const project = await dashboard.project('Harbour radio')
    const visitor = dashboard.visitor(await dashboard.person('Ada', { [project.id]: role }))
    visitor.cookies.set('bandstand_language', language)
    return { project, visitor, path: `/dashboard/projects/${project.id}/lavalink` }
  }

  it('shows where to connect and code for it while there are no sessions', async () => {
    const { visitor, path } = await visit('manager')
    const { text } = await visitor.get(path)
    expect(text).to.include('No sessions yet').and.include('0 sessions · 0 of 15 players')
    expect(text)
      .to.include(`127.0.0.1:${new URL(dashboard.baseUrl).port}`)
      .and.include('new LavalinkManager')
  })

  it('shows sessions with their players, and nothing of voice credentials', async () => {
    const { project, visitor, path } = await visit('manager')
    sessions.set(project.id, view())
    const { text } = await visitor.get(path)
    for (const part of [
      'lavalink-client/2.5.0 &lt;b&gt;',
      'Morning &lt;ferry&gt;',
      '1:03 / 3:20',
      '80%',
      'timescale',
      '21 ms',
    ]) {
      expect(text).to.include(part)
    }
    expect(text).to.include('1 session · 1 of 15 players').and.include('for 60 s after a lost connection')
    expect(text).to.match(/data-label="Frames lost per min">\s*100\s*</)
    expect(text).not.to.include('a voice token').and.not.include('a voice session')
  })

  it('says in German which session waits for its client', async () => {
    const { project, visitor, path } = await visit('viewer', 'de')
    sessions.set(project.id, view({ lostAtMs: Date.now() - 5000, players: [] }))
    const { text } = await visitor.get(path)
    expect(text).to.include('wartet auf Wiederaufnahme').and.include('1 Sitzung · 0 von 15 Playern')
    expect(text).not.to.include('/end"')
  })

  it('ends a session and stops a player for managers alone, once they confirm, and writes both into the audit log', async () => {
    const { project, visitor, path } = await visit('manager')
    sessions.set(project.id, view())
    const stop = `${path}/${SESSION}/${GUILD}/stop`
    expect((await visitor.get(stop)).text).to.include('It plays “Morning &lt;ferry&gt;”.')
    expect((await visitor.post(stop)).location).to.equal(`${path}?done=stopped`)
    expect((await visitor.post(`${path}/${SESSION}/end`)).location).to.equal(`${path}?done=ended`)
    expect((await visitor.get(`${path}?done=ended`)).text).to.include('The session has ended.')
    const { entries } = await dashboard.context.audit.list({ projectId: project.id, limit: 10 })
    expect(entries.map(({ action, target }) => [action, target])).to.deep.equal([
      ['lavalink.ended', 'lavalink-client/2.5.0 <b>'],
      ['lavalink.stopped', GUILD],
    ])
  })

  it('knows no session of another project, and lets viewers end none', async () => {
    const { project, visitor, path } = await visit('viewer')
    sessions.set('another project', view())
    expect((await visitor.get(path)).text).to.include('No sessions yet')
    sessions.set(project.id, view())
    const csrf = '0'.repeat(64)
    expect((await visitor.get(`${path}/${SESSION}/end`)).status).to.equal(403)
    expect((await visitor.post(`${path}/${SESSION}/end`, {}, { csrf })).status).to.equal(403)
    expect(sessions.size).to.equal(2)
  })

  it('says who turned it off where the API is off', async () => {
    await dashboard.close()
    dashboard = await startDashboard({ lavalink: null })
    const { visitor, path } = await visit('manager')
    expect((await visitor.get(path)).text).to.include('LAVALINK=off')
  })
})
