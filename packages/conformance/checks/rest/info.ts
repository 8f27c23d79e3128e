import { must, should, type Check } from '../../suite/check.ts'
import { CHANGELOG, rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, shaped, within } from '../../suite/expect.ts'
import { SOME_GUILD, type Stage } from '../../suite/stage.ts'
import { Info, Stats } from '../../server/schemas.ts'
import { ServerView, StatsView } from '../../server/views.ts'

/** https://semver.org, with the parts that it names. */
const SEMVER = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/
const FILTERS = [
  'volume',
  'equalizer',
  'karaoke',
  'timescale',
  'tremolo',
  'vibrato',
  'distortion',
  'rotation',
  'channelMix',
  'lowPass',
]

async function info(stage: Stage): Promise<ServerView> {
  const answer = await stage.rest('GET', '/v4/info')
  equal('The server answers /v4/info.', answer.status, 200)
  return shaped('The answer is an object.', ServerView, answer.body)
}

async function stats(stage: Stage): Promise<StatsView> {
  const answer = await stage.rest('GET', '/v4/stats')
  equal('The server answers /v4/stats.', answer.status, 200)
  return shaped('The answer is an object.', StatsView, answer.body)
}

/** Waits until the counts of all players are as they should be. Others may come and go meanwhile. */
async function countsReach(stage: Stage, fits: (now: StatsView) => boolean): Promise<boolean> {
  for (let tries = 20; tries > 0; tries--) {
    if (fits(await stats(stage))) return true
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return false
}

export const INFO_CHECKS: readonly Check[] = [
  must('info.version', rest('get-lavalink-version'), {
    title: 'GET /version answers the version as plain text.',
    async run(stage) {
      const { status, text } = await stage.rest('GET', '/version')
      equal('The server answers /version.', status, 200)
      holds('The text is a version and nothing else.', SEMVER.test(text) || /^[\w.-]+$/.test(text), 'a version', text)
    },
  }),
  should('info.version-same', rest('get-lavalink-version'), {
    title: 'GET /version says the version that /v4/info says.',
    async run(stage) {
      const { text } = await stage.rest('GET', '/version')
      equal('Both are the same.', text.trim(), (await info(stage)).version.semver)
    },
  }),
  must('info.shape', rest('info-response'), {
    title: 'GET /v4/info has every documented field in its type.',
    async run(stage) {
      const answer = await stage.rest('GET', '/v4/info')
      shaped('The answer has the documented shape.', Info, answer.body)
    },
  }),
  must('info.version-parts', rest('version-object'), {
    title: 'The parts of the version are those of its semver.',
    async run(stage) {
      const { version } = await info(stage)
      const [, major, minor, patch, preRelease = null, build = null] = SEMVER.exec(version.semver) ?? []
      holds('The version is a semantic version.', major !== undefined, 'a semantic version', version.semver)
      const parts = { major: Number(major), minor: Number(minor), patch: Number(patch), preRelease, build }
      const { preRelease: saidPre = null, build: saidBuild = null } = version
      const said = {
        major: version.major,
        minor: version.minor,
        patch: version.patch,
        preRelease: saidPre,
        build: saidBuild,
      }
      equal('The parts are those of the semver.', said, parts)
    },
  }),
  should('info.major', rest('version-object'), {
    title: 'The major version is 4, by which clients choose their protocol.',
    run: async (stage) => equal('The major version is 4.', (await info(stage)).version.major, 4),
  }),
  must('info.sources', rest('get-lavalink-info'), {
    title: 'The enabled sources are named; http is one of them, as the checks of tracks need it.',
    async run(stage) {
      const { sourceManagers } = await info(stage)
      holds('http is enabled.', sourceManagers.includes('http'), 'http among them', sourceManagers)
    },
  }),
  should('info.filters', rest('filters'), {
    title: 'All filters of the documentation are enabled, under their documented names.',
    async run(stage) {
      const { filters } = await info(stage)
      const missing = FILTERS.filter((name) => !filters.includes(name))
      equal('None is missing.', missing, [])
    },
  }),
  should('info.git', rest('git-object'), {
    title: 'The git facts name a branch and a commit, and its time in milliseconds.',
    async run(stage) {
      const { git } = await info(stage)
      holds('Branch and commit are not empty.', git.branch !== '' && git.commit !== '', 'two names', git)
      holds(
        'The time is in milliseconds.',
        git.commitTime === 0 || git.commitTime > 1e11,
        'milliseconds',
        git.commitTime,
      )
    },
  }),
  must('info.plugins', rest('plugin-object'), {
    title: 'Every plug-in has a name and a version.',
    async run(stage) {
      const { plugins } = await info(stage)
      holds(
        'No name is empty.',
        plugins.every(({ name }) => name !== ''),
        'names',
        plugins,
      )
    },
  }),
  should('info.api-version', source('io/ResponseHeaderFilter.kt'), {
    title: 'Every answer, a refusal too, carries Lavalink-Api-Version: 4.',
    async run(stage) {
      const session = await stage.connect()
      for (const path of ['/version', '/v4/info', session.path(), '/v4/sessions/none/players']) {
        const { headers } = await stage.rest('GET', path)
        equal(`${path} has the header.`, headers.get('lavalink-api-version'), '4')
      }
    },
  }),
  must('info.old-routes', CHANGELOG, {
    title: 'The routes without a version and those of v3 are gone.',
    async run(stage) {
      for (const path of ['/v3/info', '/v3/stats', '/loadtracks?identifier=x', '/v3/loadtracks?identifier=x']) {
        equal(`${path} is not found.`, (await stage.rest('GET', path)).status, 404)
      }
    },
  }),
]

export const STATS_CHECKS: readonly Check[] = [
  must('stats.shape', rest('get-lavalink-stats'), {
    title: 'GET /v4/stats has every documented field in its type.',
    async run(stage) {
      const answer = await stage.rest('GET', '/v4/stats')
      shaped('The answer has the documented shape.', Stats, answer.body)
    },
  }),
  must('stats.no-frames', rest('get-lavalink-stats'), {
    title: 'GET /v4/stats never has frameStats.',
    run: async (stage) => equal('There are none.', (await stats(stage)).frameStats ?? null, null),
  }),
  should('stats.loads', source('io/StatsCollector.kt'), {
    title: 'The loads of the processor are shares from 0 to 1.',
    async run(stage) {
      const { cpu } = await stats(stage)
      within('systemLoad', cpu.systemLoad, 0, 1)
      within('lavalinkLoad', cpu.lavalinkLoad, 0, 1)
    },
  }),
  must('stats.cores', websocket('cpu'), {
    title: 'The cores of the machine are counted.',
    run: async (stage) => within('cores', (await stats(stage)).cpu.cores, 1, 4096),
  }),
  must('stats.memory', websocket('memory'), {
    title: 'The memory is given in bytes; what is used is not more than what is allocated.',
    async run(stage) {
      const { memory } = await stats(stage)
      within('used', memory.used, 1_000_000, memory.allocated)
    },
  }),
  must('stats.uptime', websocket('stats-object'), {
    title: 'The uptime counts milliseconds.',
    async run(stage) {
      const before = await stats(stage)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      within('A second later it is', (await stats(stage)).uptime - before.uptime, 900, 5000)
    },
  }),
  must('stats.players', websocket('stats-object'), {
    title: 'players counts the players of all sessions.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      holds('A new player is counted.', (await stats(stage)).players >= 1, 'at least 1', await stats(stage))
    },
  }),
  must('stats.playing', websocket('stats-object'), {
    title: 'playingPlayers counts those that play, not those that are paused.',
    async run(stage) {
      const { update } = await stage.playing(stage.media.wave('tone-440', 30))
      const isCounted = await countsReach(stage, ({ playingPlayers }) => playingPlayers >= 1)
      holds('A playing player is counted.', isCounted, 'playingPlayers of 1 or more', await stats(stage))
      await update({ paused: true })
      const isLess = await countsReach(stage, ({ players, playingPlayers }) => playingPlayers < players)
      holds('A paused one is not.', isLess, 'fewer playingPlayers than players', await stats(stage))
    },
  }),
]
