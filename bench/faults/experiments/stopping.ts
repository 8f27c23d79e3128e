import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cookiesOf } from '../../enter-link.ts'
import { csrfOf } from '../../../test/support/dashboard.ts'
import { openEvents } from '../../../test/support/socket.ts'
import { experiment } from '../experiment.ts'
import { openSite, queueShots, rendererPid, untilJob } from '../jobs.ts'
import { TRACKS } from '../music.ts'
import { sleep, until, type Service } from '../tools.ts'

const STOP_WITHIN_MS = 10_000
/** Moments of the start at which it is told to stop. */
const START_MOMENTS_MS = [0, 150, 300, 500, 800, 1200]
const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Sends SIGTERM. @returns exit code and time. */
async function stop(service: Service): Promise<{ readonly isPrompt: boolean; readonly words: string }> {
  const startMs = performance.now()
  const code = await service.kill('SIGTERM')
  const tookMs = Math.round(performance.now() - startMs)
  return { isPrompt: code === 0 && tookMs < STOP_WITHIN_MS, words: `code ${code} after ${tookMs} ms` }
}

/** How an answer came out; `cut` where there was none. */
const endOf = (answer: Promise<{ readonly status: number }>) =>
  answer.then(
    ({ status }) => String(status),
    () => 'cut',
  )

async function signIn({ baseUrl }: Service): Promise<{ readonly status: number }> {
  const page = await fetch(`${baseUrl}/dashboard/sign-in`)
  const cookie = cookiesOf(page)
  const body = new URLSearchParams({
    csrf: csrfOf(await page.text()),
    name: 'nobody',
    password: 'four quiet brass horns',
  })
  return fetch(`${baseUrl}/dashboard/sign-in`, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })
}

/** Told to stop. */
export const STOPPING = [
  experiment({
    number: '14a',
    title:
      'SIGTERM while a track plays, a page is rendered, an account signs in, an event socket is open and a call waits 60 s for a job',
    passes:
      'exit 0 within 10 s; each call is answered; the socket is closed with 1001; track, queue and job continue at the next start',
    limitMs: 120_000,
    async run(tools) {
      const site = await openSite(tools, (req, res) => {
        res.setHeader('content-type', 'text/html').write('<h1>A slow page</h1>')
        setTimeout(() => res.end(), 4000)
      })
      const service = await tools.service({ env: { EGRESS_ALLOW_HOSTS: site.host } })
      const ear = await (await tools.discord()).listen()
      for (const query of [TRACKS.noise, TRACKS.tone]) {
        await service.music('POST', '/play', { query, channelId: service.channelId })
      }
      await service.music('PATCH', '/player', { positionMs: 30_000 })
      await until('there is a renderer', () => rendererPid(service) > 0, 15_000)
      const [job = ''] = await queueShots(service, [`${site.url}/slow`])
      await until('it plays', () => (ear.last()?.positionMs ?? 0) > 31_000, 10_000)
      const events = tools.own(await openEvents(service.baseUrl, service.keys.linked), (it) => it.close())
      const waiting = endOf(service.call('GET', `/v1/jobs/${job}/wait?timeout=60`, { key: service.keys.unlinked }))
      const signingIn = endOf(signIn(service))
      await sleep(60)
      const { isPrompt, words } = await stop(service)
      const lastMs = ear.last()?.positionMs ?? 0
      tools.must(isPrompt, words)
      const [wait, sign] = await Promise.all([waiting, signingIn])
      tools.must(/^(200|503)$/.test(wait), `the call that waited: ${wait}`)
      tools.must(/^(200|303|401|403|422|429|503)$/.test(sign), `the sign-in: ${sign}`)
      const { code } = await events.closed()
      tools.must(code === 1001, `the event socket: ${code}`)
      const startMs = performance.now()
      await service.start()
      await until('it is heard again', () => ear.firstSince(startMs) !== undefined, 20_000)
      const jumpMs = (ear.firstSince(startMs)?.positionMs ?? Infinity) - lastMs
      const { queue } = await service.music('GET', '/player')
      tools.must(
        Math.abs(jumpMs) <= 500 && queue.length === 1,
        `resumes ${jumpMs} ms from its position, ${queue.length} of 1 queued`,
      )
      const end = await untilJob(service, job, 60_000)
      tools.must(end === 'completed', `the job: ${end}`)
    },
  }),
  experiment({
    number: '14b',
    title: 'SIGTERM at six moments of the start, the migration of a new database among them',
    passes: 'it ends within 10 s each time, and the next start is clean',
    limitMs: 120_000,
    async run(tools) {
      const ends: string[] = []
      const service = await tools.service({ isStarted: false })
      for (const momentMs of START_MOMENTS_MS) {
        const ended = service.startInVain()
        await sleep(momentMs)
        const startMs = performance.now()
        service.process.kill('SIGTERM')
        const { code } = await ended
        const tookMs = Math.round(performance.now() - startMs)
        ends.push(`at ${momentMs} ms: ${code ?? 'SIGTERM'} after ${tookMs} ms`)
        if (tookMs >= STOP_WITHIN_MS) tools.must(false, ends.at(-1) ?? '')
      }
      await service.start()
      tools.must(true, ends.join(', '))
    },
  }),
  experiment({
    number: '14c',
    title: 'SIGTERM twice, 100 ms apart, with sound going on; and SIGTERM to a backup at three moments',
    passes: 'it ends within 10 s and the next start is clean; a backup is there whole or not at all',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service({ env: { RENDER_CONCURRENCY: '0' } })
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      const ends: string[] = []
      for (const momentMs of [250, 500, 800]) {
        const file = join(service.dataDir, `backup-${momentMs}.db`)
        const env = { ...process.env, DATA_DIR: service.dataDir }
        const child = spawn(process.execPath, ['admin/main.ts', 'backup', file], { cwd: ROOT, env, stdio: 'ignore' })
        const gone = once(child, 'exit')
        await sleep(momentMs)
        child.kill('SIGTERM')
        await gone
        const isThere = existsSync(file)
        const again = await service.admin('backup', `${file}.again`)
        ends.push(`at ${momentMs} ms: ${isThere ? 'whole' : 'none'}`)
        if (again.code !== 0) tools.must(false, `the next backup: ${again.stderr}`)
      }
      const second = setTimeout(() => service.process.kill('SIGTERM'), 100)
      const { isPrompt, words } = await stop(service)
      clearTimeout(second)
      tools.must(isPrompt, `${words}; backups ${ends.join(', ')}`)
      await service.start()
    },
  }),
] as const
