import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEvents } from '../../../test/support/socket.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { sleep, until } from '../tools.ts'

const METERED = '/v1/tools/binary/encode?text=Hi'
const CLIENTS = 20

/** What is kept, and who may use it. */
export const KEEPING = [
  experiment({
    number: '20',
    title: 'a backup is taken while keys are made and tracks are queued, and restored in an empty folder',
    passes:
      'it is whole; every key that was made before it works and none is half there; the bot logs in and its players come back; without token.key no token can be read',
    limitMs: 90_000,
    async run(tools) {
      const service = await tools.service()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      const made: string[] = []
      const over = new AbortController()
      const make = async () =>
        (await service.admin('key', 'create', '--project', service.projectId, '--json')).json?.key as string
      const writing = (async () => {
        while (!over.signal.aborted && made.length < 24) {
          made.push(await make())
          await service.music('PATCH', '/player', { volume: 50 + made.length })
        }
      })()
      await until('some keys were made', () => made.length > 4, 20_000)
      const before = [...made]
      const folder = tools.own(mkdtempSync(join(tmpdir(), 'bandstand-restored-')), (it) =>
        rmSync(it, { recursive: true, force: true }),
      )
      const file = join(folder, 'backup.db')
      const { code, json } = await service.admin('backup', file, '--json')
      over.abort()
      await writing
      tools.must(code === 0, `backup of ${Math.round((json?.bytes ?? 0) / 1024)} KiB`)
      await service.kill('SIGKILL')

      const restored = await tools.service({ isStarted: false })
      rmSync(restored.dataDir, { recursive: true })
      const back = await restored.admin('restore', file)
      tools.must(back.code === 0, 'restored in an empty folder')
      await restored.start({ until: '"service started"' })
      await until('it says so', () => restored.output().includes('its token cannot be read'), 10_000)
      tools.must(!restored.output().includes('"bot connected"'), 'without token.key it says that no token can be read')
      await restored.kill('SIGTERM')
      copyFileSync(join(service.dataDir, 'token.key'), join(restored.dataDir, 'token.key'))
      await restored.start()
      const works = async (key: string) => (await restored.call('GET', METERED, { key })).status === 200
      const working = (await Promise.all(before.map(works))).filter(Boolean).length
      tools.must(working === before.length, `${working} of ${before.length} keys of before it work`)
      const ear = await (await tools.discord()).listen()
      const tookMs = await until('the player is back', () => ear.count > 10, 15_000)
      tools.must(true, `with token.key the bot is in and its player is heard after ${tookMs} ms`)
    },
  }),
  experiment({
    number: '34',
    title: 'a key is revoked while 20 clients call with it as fast as they can and 10 sockets are open',
    passes: 'no call that began after the revocation was answered succeeds; the sockets are closed within 1 s',
    limitMs: 60_000,
    async run(tools) {
      const service = await tools.service()
      const { json } = await service.admin('key', 'create', '--project', service.projectId, '--json')
      const { id, key } = json as { readonly id: string; readonly key: string }
      const sockets = await Promise.all(Array.from({ length: 10 }, () => openEvents(service.baseUrl, key)))
      tools.own(sockets, (all) => all.forEach((one) => one.close()))
      const calls: { readonly atMs: number; readonly status: number }[] = []
      const over = new AbortController()
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!over.signal.aborted) {
          const atMs = performance.now()
          const { status } = await service.call('GET', METERED, { key })
          calls.push({ atMs, status })
        }
      })
      await sleep(2000)
      const { code } = await service.admin('key', 'revoke', id)
      const revokedMs = performance.now()
      const closing = Promise.all(sockets.map((one) => one.closed())).then((ends) => ({
        ends,
        atMs: performance.now(),
      }))
      await sleep(1500)
      over.abort()
      await Promise.all(clients)
      const { ends, atMs } = await closing
      const [before, after] = [
        calls.filter((one) => one.atMs < revokedMs),
        calls.filter((one) => one.atMs >= revokedMs),
      ]
      const slipped = after.filter(({ status }) => status !== 401).length
      tools.must(
        code === 0 && slipped === 0,
        `${before.length} calls before, ${after.length} after, ${slipped} of them not 401`,
      )
      const codes = new Set(ends.map((end) => end.code))
      tools.must(
        atMs - revokedMs <= 1000,
        `10 sockets closed ${Math.round(atMs - revokedMs)} ms later with ${[...codes].join()}`,
      )
    },
  }),
] as const
