import { must, should, type Check } from '../suite/check.ts'
import { websocket } from '../suite/docs.ts'
import { skip, Unmet } from '../suite/expect.ts'
import type { Stage } from '../suite/stage.ts'

const SHOWN = 5

type Source = 'documented' | 'library'

function none(stage: Stage, kind: string, source: Source): void {
  const own = stage.suite.verdicts.get(kind)
  if (!own) skip(`No check of this run received a ${kind}.`)
  const faults = own[source]
  if (faults.length > 0)
    throw new Unmet(
      `Of ${own.messages} messages some are otherwise.`,
      'the documented shape',
      faults.slice(0, SHOWN).join('\n'),
    )
}

const KINDS = {
  ready: 'ready-op',
  playerUpdate: 'player-update-op',
  stats: 'stats-object',
  TrackStartEvent: 'trackstartevent',
  TrackEndEvent: 'trackendevent',
  TrackExceptionEvent: 'trackexceptionevent',
  TrackStuckEvent: 'trackstuckevent',
  WebSocketClosedEvent: 'websocketclosedevent',
} as const

const nameOf = (kind: string) => kind.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()

/** Checks of all messages that the sockets of the other checks received. */
export const MESSAGE_CHECKS: readonly Check[] = [
  ...Object.entries(KINDS).map(([kind, heading]): Check =>
    must(`messages.${nameOf(kind)}`, websocket(heading), {
      title: `Every ${kind} of this run has the documented shape.`,
      isLast: true,
      run: async (stage) => none(stage, kind, 'documented'),
    }),
  ),
  must('messages.ops', websocket('op-types'), {
    title: 'There are no messages but ready, playerUpdate, stats and event.',
    isLast: true,
    async run(stage) {
      // Events of plug-ins have types of their own.
      const others = stage.suite.verdicts.get('unknown')
      if (others) throw new Unmet('There are others.', 'none', others.documented.slice(0, SHOWN).join('\n'))
    },
  }),
  should('messages.library', 'https://www.npmjs.com/package/lavalink-protocol', {
    title: 'lavaclient’s library lavalink-protocol finds no violation in any message of this run.',
    isLast: true,
    async run(stage) {
      if (stage.suite.verdicts.size === 0) skip('No check of this run received a message.')
      for (const kind of stage.suite.verdicts.keys()) none(stage, kind, 'library')
    },
  }),
]
