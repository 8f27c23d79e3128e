import { z } from 'zod'
import type { PlayerScope, PlayerService } from '../../../bot/music.ts'
import { Fault } from '../../../lib/errors.ts'
import { form, redirect, type Page, type Route } from '../../http/route.ts'
import { record, type ProjectVisit } from '../../http/page-request.ts'
import { playerScopeOf } from './search.ts'

interface Order {
  readonly music: PlayerService
  readonly who: PlayerScope
  readonly guildId: string
  readonly sent: URLSearchParams
}

const Volume = z.coerce.number().min(0).max(200)
const Loop = z.enum(['off', 'track', 'queue'])
const Position = z.coerce.number().int().min(1).max(100_000)

/** What can be done to a player, by the last part of the address. */
const DEEDS: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
  pause: ({ music, who, guildId }) => music.patch(who, guildId, { paused: true }),
  resume: ({ music, who, guildId }) => music.patch(who, guildId, { paused: false }),
  skip: ({ music, who, guildId }) => music.skip(who, guildId),
  previous: ({ music, who, guildId }) => music.previous(who, guildId),
  mute: ({ music, who, guildId }) => music.mute(who, guildId, true),
  unmute: ({ music, who, guildId }) => music.unmute(who, guildId),
  close: ({ music, who, guildId }) => music.close(who, guildId),
  volume: ({ music, who, guildId, sent }) => music.patch(who, guildId, { volume: Volume.parse(sent.get('volume')) }),
  loop: ({ music, who, guildId, sent }) => music.patch(who, guildId, { loop: Loop.parse(sent.get('loop')) }),
  shuffle: ({ music, who, guildId }) => music.editQueue(who, guildId, { type: 'shuffle' }),
  clear: ({ music, who, guildId }) => music.editQueue(who, guildId, { type: 'clear' }),
  remove: ({ music, who, guildId, sent }) =>
    music.editQueue(who, guildId, { type: 'remove', position: Position.parse(sent.get('position')) }),
  move: ({ music, who, guildId, sent }) => {
    const [from, to] = [Position.parse(sent.get('from')), Position.parse(sent.get('to'))]
    return music.editQueue(who, guildId, { type: 'move', from, to })
  },
}

/** A form for each deed. What a player refuses is said on the page that it was asked from. */
export function deeds(path: string, show: (visit: ProjectVisit, fault?: Fault) => Promise<Page>): readonly Route[] {
  return Object.entries(DEEDS).map(([name, deed]) =>
    form('manager', `${path}/:botId/:guildId/${name}`, async (visit) => {
      const { desk, params, form: sent, project } = visit
      const { botId = '', guildId = '' } = params
      const who = playerScopeOf(visit, botId)
      try {
        await deed({ music: desk.music, who, guildId, sent })
      } catch (thrown) {
        return show(visit, refusalOf(thrown))
      }
      record(visit, `player.${name}`, guildNameOf(visit, botId, guildId))
      return redirect(`/dashboard/projects/${project.id}/players`)
    }),
  )
}

export function guildNameOf({ desk }: ProjectVisit, botId: string, guildId: string): string {
  return desk.fleet.guildsOf(botId).find(({ id }) => id === guildId)?.name ?? guildId
}

/** A refusal of the player, or of a value that no page of ours sends. @throws what is neither. */
export function refusalOf(thrown: unknown): Fault {
  if (thrown instanceof z.ZodError) return new Fault('validation_error', 'The value is out of range.')
  if (thrown instanceof Fault && thrown.code !== 'internal_error') return thrown
  throw thrown
}
