import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { moveStandIn, openControlGroup, type ControlGroup } from '../../tools/stage/control-group.ts'
import { PLAYING_ALONE } from '../../tools/bench/faults/players.ts'
import { openPlaces, play, type Place } from '../../tools/stage/places.ts'
import { LAUNCHER } from '../../tools/stage/process.ts'
import { makeAudio } from '../support/audio-files.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'

const LIMIT_MIB = 384
/** Decoders for one project, which leaves as many free. */
const DECODERS = 10
const HEARD_MS = 8000

/** Null where the system lets no user limit memory but root and owners of a part of the tree. */
function openGroup(): ControlGroup | null {
  if (process.platform !== 'linux' || !existsSync('/sys/fs/cgroup')) return null
  try {
    return openControlGroup(LIMIT_MIB, LAUNCHER)
  } catch {
    return null
  }
}

describe(`a service with ${LIMIT_MIB} MiB`, () => {
  let group: ControlGroup
  let service: RunningService
  const libraryDir = mkdtempSync(join(tmpdir(), 'bandstand-test-'))

  before(async function () {
    const opened = openGroup()
    if (!opened) return this.skip()
    group = opened
    makeAudio(join(libraryDir, 'march.mp3'), { seconds: 600, tags: { title: 'Long March', artist: 'Test' } })
    const stopMoving = moveStandIn(group, process.pid)
    service = await startService({ env: { ...PLAYING_ALONE, LIBRARY_DIR: libraryDir }, execPath: group.launcher })
    stopMoving()
  })

  after(async () => {
    await service?.stop()
    group?.remove()
    rmSync(libraryDir, { recursive: true, force: true })
  })

  it('plays ten tracks that need a decoder without a loss, refuses the next, and still plays Opus', async () => {
    const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
    const places = await openPlaces(service, applications[0].id, DECODERS + 1)
    const packetsOf = ({ guildId }: Place) => `/sandbox/guilds/${guildId}/members/${applications[0].id}/packets`
    for (const place of places.slice(0, DECODERS)) await play(service, place, 'long march')

    const { guildId, channelId } = places[DECODERS]!
    const body = { query: 'long march', channelId }
    const refused = await service.call('POST', `/v1/music/guilds/${guildId}/play`, { body })
    expect(refused.status).to.equal(503)
    expect(refused.body.error.message).to.include('decoders')
    await play(service, places[DECODERS]!, 'snowfall waltz')

    for (const place of places) await service.sandbox('GET', `${packetsOf(place)}?reset=true`)
    await sleep(HEARD_MS)
    for (const place of places) {
      const heard = await eventually(
        () => service.sandbox('GET', packetsOf(place)),
        ({ body: report }) => report.packets > HEARD_MS / 20 / 2,
      )
      expect(heard.body.lost).to.equal(0)
    }
    expect(group.now().kills).to.equal(0)
  }).timeout(120_000)
})
