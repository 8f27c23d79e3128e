import { eventually } from '../../../../test/support/service.ts'
import { createRandom } from '../../../../lib/random/seeded-random.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { sleep, type Service } from '../tools.ts'

const ROUNDS = 24
const SEED = 36
/** Playing into an existing player takes a few milliseconds; joining a channel first takes longer. */
const LONGEST_MS = { queued: 12, joined: 250 }

/** Requests that come twice. */
export const REPEATED = [
  experiment('36', {
    title: `kill -9 at ${ROUNDS} random moments of a POST play with an Idempotency-Key, which is then sent again`,
    passes: 'the track is there once each time, and a further repetition has the answer of before',
    limitMs: 420_000,
    async run(tools) {
      const service = await tools.service({ env: { RENDER_CONCURRENCY: '0' } })
      await (await tools.discord()).listen()
      const random = createRandom(SEED)
      const outcomes = { once: 0, replayed: 0, ranAgain: 0 }
      const wrong: string[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const kind = round % 2 === 0 ? 'joined' : 'queued'
        const delayMs = random() * LONGEST_MS[kind]
        const seen = await playThroughCrash(service, { name: `round ${round}`, kind, delayMs })
        if (seen.added === 1 && seen.isReplayedInTheEnd) outcomes.once += 1
        else wrong.push(`${kind} after ${delayMs.toFixed(1)} ms: ${seen.added} times`)
        outcomes[seen.isReplayed ? 'replayed' : 'ranAgain'] += 1
      }
      const { once, replayed, ranAgain } = outcomes
      tools.must(once === ROUNDS, `${once} of ${ROUNDS} queued once ${wrong.join('; ')}`)
      tools.saw(`${replayed} were known to be done after the crash, ${ranAgain} were carried out then`)
    },
  }),
] as const

async function playThroughCrash(
  service: Service,
  { name, kind, delayMs }: { readonly name: string; readonly kind: 'queued' | 'joined'; readonly delayMs: number },
) {
  const { guildId, channelId } = service
  const path = `/v1/music/guilds/${guildId}`
  if (kind === 'joined') await service.call('DELETE', `${path}/player`)
  else await service.music('PATCH', '/player', { loop: 'queue' })
  const countBefore = await countTracks(service)
  const play = () =>
    service.call('POST', `${path}/play`, {
      body: { query: TRACKS.noise, channelId },
      headers: { 'idempotency-key': name },
    })
  const sent = play().catch(() => null)
  await sleep(delayMs)
  await service.kill('SIGKILL')
  await sent
  await service.start()
  // A bot or a player that is on its way back says so.
  const again = await eventually(play, ({ status }) => status === 200)
  const last = await play()
  // Repetitions are answered from the kept answer, also while the player is being restored.
  const count = await eventually(
    () => countTracks(service),
    (tracks) => tracks > 0,
  )
  return {
    added: count - countBefore,
    isReplayed: isReplayed(again),
    isReplayedInTheEnd: last.status === 200 && isReplayed(last),
  }
}

function isReplayed({ headers }: { readonly headers: Headers }): boolean {
  return headers.get('idempotent-replayed') === 'true'
}

async function countTracks(service: Service): Promise<number> {
  const { status, body } = await service.call('GET', `/v1/music/guilds/${service.guildId}/player`)
  if (status !== 200) return 0
  return (body.data.current ? 1 : 0) + body.data.queue.length
}
