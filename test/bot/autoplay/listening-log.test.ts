import { expect } from 'chai'
import { pino } from 'pino'
import { createListeningLog } from '../../../bot/autoplay/listening-log.ts'
import type { EndedTrack, QueuedTrack } from '../../../bot/player/player-parts.ts'
import { createCatalogue, trackOf, type CatalogueSong } from '../../support/autoplay-stage.ts'
import { encodeToken } from '../../../bot/tracks/track-token.ts'

const [FIRST, SECOND] = createCatalogue(2, 2) as [CatalogueSong, CatalogueSong]

function queued(song: CatalogueSong): QueuedTrack {
  const info = trackOf(song)
  return { info, encoded: encodeToken(info), requesterId: null }
}

/** Verdicts on a track that ends in each of these ways. */
async function verdicts(...ends: readonly Pick<EndedTrack, 'startedAtMs' | 'ended'>[]): Promise<string[]> {
  const history = { list: async () => [], add: async () => undefined }
  const listening = createListeningLog({ botId: '1', guildId: '2' }, history as never, pino({ level: 'silent' }))
  for (const end of ends) listening.add({ track: queued(FIRST), heardMs: 0, ...end })
  const plays = await listening.playsWith({ seed: queued(SECOND), isPlaying: false })
  return plays.map(({ verdict }) => verdict)
}

describe('the listening log', () => {
  it('holds a track that was skipped before it sounded for unwanted, and one that never came for failed', async () => {
    const ends = [
      { startedAtMs: null, ended: 'skipped' },
      { startedAtMs: null, ended: 'failed' },
      { startedAtMs: null, ended: 'closed' },
      { startedAtMs: 1, ended: 'failed' },
    ] as const
    expect(await verdicts(...ends)).to.deep.equal(['rejected', 'failed', 'failed', 'failed'])
  })
})
