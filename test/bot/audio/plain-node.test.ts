import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { AudioNode } from '../../../bot/audio/node/protocol.ts'
import { createPlainNode } from '../../../bot/audio/remote/plain/plain-node.ts'
import { createLog } from '../../../lib/log.ts'
import { createAudioFiles } from '../../../service/audio-files.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { temporaryFolder } from '../../support/database.ts'
import { launchNode, type RunningNode } from '../../support/lavalink-node.ts'
import { hear, startConcert, type Concert, type Listener } from '../../support/playing-service.ts'
import { eventually } from '../../support/service.ts'

const PASSWORD = 'youshallnotpass'
const FRAMES_OF_A_SECOND = 50

/** A Lavalink node of which nothing but Lavalink's own protocol is used. */
describe('players on a plain Lavalink node', () => {
  const folder = temporaryFolder()
  const log = createLog('silent')
  const files = createAudioFiles()
  let running: RunningNode
  let node: AudioNode
  let api: TestApi
  let concert: Concert
  let listener: Listener

  before(async () => {
    api = await startApi({ mounts: [files.mount] })
    concert = await startConcert({
      async openRemote(sandbox) {
        const certificate = join(folder.path, 'certificate.pem')
        writeFileSync(certificate, sandbox.certificate)
        running = await launchNode(folder.path, {
          LAVALINK_PASSWORD: PASSWORD,
          LAVALINK_VOICE_HOSTS: 'localhost',
          EGRESS_ALLOW_HOSTS: '127.0.0.1',
          NODE_EXTRA_CA_CERTS: certificate,
          MUSIC_SOURCES: 'http',
        })
        const { origin } = new URL(api.baseUrl)
        const toRemote: typeof files.toRemote = (track) => files.toRemote(track, origin)
        node = await createPlainNode({ id: 'old', url: running.url, password: PASSWORD, log, toRemote })
        return [node]
      },
    })
    listener = await concert.listen()
  })
  after(async () => {
    await concert.close()
    await running.kill('SIGKILL')
    await api.close()
    folder.remove()
  })

  beforeEach(async () => {
    await concert.music.close(concert.scope, concert.guild.id).catch(() => undefined)
    await concert.play('A')
  })

  it('join, play, seek, pause and stop by Lavalink alone', async () => {
    const { scope, guild, music } = concert
    expect((await concert.info()).node.id).to.equal('old')
    await hear(listener.heard, FRAMES_OF_A_SECOND)
    await music.perform(scope, guild.id, 'patch', { positionMs: 40_000 })
    await eventually(
      () => listener.heard.at(-1)!.frame,
      (frame) => frame >= 40 * FRAMES_OF_A_SECOND,
    )
    await music.perform(scope, guild.id, 'patch', { paused: true })
    expect((await concert.info()).positionMs).to.be.within(39_000, 59_000)
    await music.perform(scope, guild.id, 'patch', { paused: false })
    const heard = listener.heard.length
    await hear(listener.heard, heard + 10)
  })

  it('refuse by name what Lavalink has not', async () => {
    const { scope, guild, music } = concert
    const layer = node.addLayer({ botId: '1', guildId: '2' }, {} as never)
    for (const [what, refused] of [
      ['layers', layer],
      [
        'filter reverb',
        music.perform(scope, guild.id, 'patch', { filters: { reverb: { roomSize: 0.5, damping: 0.5, mix: 0.3 } } }),
      ],
    ] as const) {
      const error = await refused.then(
        () => null,
        (thrown: Error) => thrown,
      )
      expect(error).to.include({ name: 'Fault', code: 'conflict' })
      expect(error!.message).to.include('plain Lavalink node').and.include(what)
    }
  })

  it('play on in the service when the node is gone', async () => {
    await running.kill('SIGKILL')
    await eventually(
      async () => (await concert.info()).node.id,
      (id) => id === 'audio-1',
    )
    const heard = listener.heard.length
    await hear(listener.heard, heard + FRAMES_OF_A_SECOND)
  })
})
