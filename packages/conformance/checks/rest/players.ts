import { z } from 'zod'
import { Player } from '../../server/schemas.ts'
import { PlayerView } from '../../server/views.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, shaped, within } from '../../suite/expect.ts'
import { SOME_GUILD, type Stage } from '../../suite/stage.ts'

const OTHER_GUILD = '817327181659111455'

async function list(stage: Stage, path: string) {
  const answer = await stage.rest('GET', path)
  equal('The list answers 200.', answer.status, 200)
  return shaped('The answer is a list of players.', z.array(PlayerView), answer.body)
}

export const PLAYER_CHECKS: readonly Check[] = [
  must('players.none', rest('get-players'), {
    title: 'A new session has no players.',
    async run(stage) {
      const session = await stage.connect()
      equal('The list', await list(stage, session.path()), [])
    },
  }),
  must('players.create', rest('update-player'), {
    title: 'An update creates the player, and answers it.',
    async run(stage) {
      const session = await stage.connect()
      const player = await session.update(SOME_GUILD, {})
      equal('guildId', player.guildId, SOME_GUILD)
    },
  }),
  must('players.shape', rest('player'), {
    title: 'A new player has the documented shape.',
    async run(stage) {
      const session = await stage.connect()
      shaped('The answer', Player, (await session.patch(SOME_GUILD, {})).body)
      shaped('The player', Player, (await stage.rest('GET', session.path(SOME_GUILD))).body)
    },
  }),
  must('players.shape-playing', rest('player'), {
    title: 'A player with track, filters and voice has the documented shape.',
    async run(stage) {
      const filters = { volume: 0.9 }
      const { session, guildId } = await stage.playing(stage.media.wave('tone-440', 30), { filters })
      shaped('The player', Player, (await stage.rest('GET', session.path(guildId))).body)
    },
  }),
  must('players.defaults', rest('player'), {
    title: 'A new player has no track, volume 100, no filters, is not paused and not connected.',
    async run(stage) {
      const session = await stage.connect()
      const { track, volume, paused, filters, state } = await session.update(SOME_GUILD, {})
      equal('The player', { track, volume, paused, filters }, { track: null, volume: 100, paused: false, filters: {} })
      equal('Its state', { ...state, time: 0 }, { time: 0, position: 0, connected: false, ping: -1 })
    },
  }),
  must('players.state-time', websocket('player-state'), {
    title: 'The time of a player’s state is now, in milliseconds.',
    async run(stage) {
      const session = await stage.connect()
      const { state } = await session.update(SOME_GUILD, {})
      within('It differs from the clock here by', state.time - Date.now(), -60_000, 60_000)
    },
  }),
  should('players.voice-empty', source('util/util.kt'), {
    title: 'A player without voice has an empty token, endpoint and session id, and no channel.',
    async run(stage) {
      const session = await stage.connect()
      const { token, endpoint, sessionId, channelId } = (await session.update(SOME_GUILD, {})).voice
      equal(
        'voice',
        { token, endpoint, sessionId, channelId },
        { token: '', endpoint: '', sessionId: '', channelId: null },
      )
    },
  }),
  must('players.get', rest('get-player'), {
    title: 'A player is found by its guild as the update left it.',
    async run(stage) {
      const session = await stage.connect()
      const updated = await session.update(SOME_GUILD, { volume: 42, paused: true })
      const { state: _now, ...found } = await session.player(SOME_GUILD)
      const { state: _then, ...left } = updated
      equal('The player', found, left)
    },
  }),
  must('players.list', rest('get-players'), {
    title: 'The list has every player of the session.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      await session.update(OTHER_GUILD, { volume: 7 })
      const players = await list(stage, session.path())
      const seen = Object.fromEntries(players.map(({ guildId, volume }) => [guildId, volume]))
      equal('The players and their volumes', seen, { [SOME_GUILD]: 100, [OTHER_GUILD]: 7 })
    },
  }),
  must('players.session-only', rest('get-players'), {
    title: 'The list has no player of another session.',
    async run(stage) {
      const [one, other] = [await stage.connect(), await stage.connect()]
      await one.update(SOME_GUILD, { volume: 11 })
      equal('The other session’s list', await list(stage, other.path()), [])
      equal('Its player', (await stage.rest('GET', other.path(SOME_GUILD))).status, 404)
    },
  }),
  must('players.destroy', rest('destroy-player'), {
    title: 'A destroyed player is gone; the answer is 204 without a body.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      const { status, text } = await stage.rest('DELETE', session.path(SOME_GUILD))
      equal('The answer', { status, text }, { status: 204, text: '' })
      equal('The player', (await stage.rest('GET', session.path(SOME_GUILD))).status, 404)
      equal('The list', await list(stage, session.path()), [])
    },
  }),
  should('players.destroy-none', source('player/PlayerRestHandler.kt'), {
    title: 'To destroy a player that does not exist is 204 as well.',
    async run(stage) {
      const session = await stage.connect()
      equal('The answer', (await stage.rest('DELETE', session.path(SOME_GUILD))).status, 204)
    },
  }),
  must('players.destroy-fresh', rest('destroy-player'), {
    title: 'A player that is made again after its end has nothing of the one before.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { volume: 5, paused: true, filters: { volume: 0.5 } })
      await stage.rest('DELETE', session.path(SOME_GUILD))
      const { volume, paused, filters } = await session.update(SOME_GUILD, {})
      equal('The player', { volume, paused, filters }, { volume: 100, paused: false, filters: {} })
    },
  }),
  should('players.many', source('player/PlayerRestHandler.kt'), {
    title: 'Ten updates of one player at the same time are all answered.',
    async run(stage) {
      const session = await stage.connect()
      const volumes = Array.from({ length: 10 }, (_, i) => i * 10)
      await Promise.all(volumes.map((volume) => session.update(SOME_GUILD, { volume })))
      const { volume } = await session.player(SOME_GUILD)
      holds('The volume is one of them.', volumes.includes(volume), 'one of those sent', volume)
    },
  }),
]
