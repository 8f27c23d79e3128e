import type { TestGuild } from '../../discord/test-guild.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { CHANGELOG, rest, source, websocket } from '../../suite/docs.ts'
import { equal, eventually, holds, within } from '../../suite/expect.ts'
import { heardSeconds, isSound, isTone } from './heard.ts'

const LONG = 60

/** Whether four seconds of packets were steady. */
function isSteady(report: Awaited<ReturnType<TestGuild['packets']>> | undefined): boolean {
  return (
    report !== undefined && Math.abs(report.packets - 200) <= 12 && report.lost === 0 && report.gapMs.longest <= 200
  )
}

export const VOICE_CHECKS: readonly Check[] = [
  must('voice.connect', rest('voice-state'), {
    title: 'A voice state connects the bot to its channel.',
    async run(stage) {
      const { testGuild } = await stage.joined()
      await eventually('the bot is connected', () => testGuild.isConnected())
    },
  }),
  must('voice.state', rest('voice-state'), {
    title: 'The player answers the voice state that it was given, the channel too.',
    async run(stage) {
      const { voice, player } = await stage.joined()
      const { token, endpoint, sessionId, channelId } = (await player()).voice
      equal('voice', { token, endpoint, sessionId, channelId }, { ...voice })
    },
  }),
  must('voice.connected', websocket('player-state'), {
    title: 'A player update says connected, with a ping, once the connection stands.',
    async run(stage) {
      const { session, guildId, player } = await stage.joined()
      const { ping } = await session.playerUpdate(guildId, ({ connected }) => connected === true)
      within('ping', ping, -1, 5000)
      equal('connected of the player', (await player()).state.connected, true)
    },
  }),
  must('voice.encrypted', CHANGELOG, {
    title: 'The sound is encrypted from end to end (DAVE), and a listener can decrypt all of it.',
    async run(stage) {
      const { listener, testGuild } = await stage.playing(stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      const before = await testGuild.heard()
      await listener.hear(2000)
      const after = await testGuild.heard()
      within('Decrypted packets in 2 s', after.decrypted - before.decrypted, 80, 120)
      equal('In clear', after.clear - before.clear, 0)
      equal('Not decrypted', after.failed - before.failed, 0)
    },
  }),
  should('voice.cadence', websocket('frame-stats'), {
    title: 'Fifty packets a second leave, without a gap of more than 200 ms.',
    async run(stage) {
      const { listener, testGuild } = await stage.playing(stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      // The machine may hold everything up for a moment, but not three times.
      const tries = []
      do {
        await testGuild.packets(true)
        await listener.hear(4000)
        tries.push(await testGuild.packets())
      } while (tries.length < 3 && !isSteady(tries.at(-1)))
      holds('The packets are steady.', isSteady(tries.at(-1)), '188 to 212 packets in 4 s, no gap over 200 ms', tries)
    },
  }),
  must('voice.move', rest('voice-state'), {
    title: 'With the voice state of another channel the bot moves there, and the track goes on where it was.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', LONG))
      const { testGuild, update, session, guildId } = playing
      const before = await heardSeconds(playing)
      const voice = await testGuild.move(testGuild.otherChannelId)
      const from = session.mark()
      await update({ voice })
      const there = await testGuild.listen(testGuild.otherChannelId)
      await there.until('the music', isSound)
      const after = await heardSeconds({ ...playing, listener: there })
      within('The seconds between', after - before, 0, 12)
      equal('channelId', (await playing.player()).voice['channelId'], testGuild.otherChannelId)
      equal(
        'The track goes on.',
        session.events(guildId, from).filter((name) => name.startsWith('Track')),
        [],
      )
    },
  }),
  must('voice.server-change', rest('voice-state'), {
    title: 'With the voice state of another voice server the music goes on.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', LONG))
      const { testGuild, update, listener, session, guildId } = playing
      const before = await heardSeconds(playing)
      await update({ voice: await testGuild.changeServer() })
      await eventually('the bot is connected', () => testGuild.isConnected())
      await listener.until('the music', isSound)
      within('The seconds between', (await heardSeconds(playing)) - before, 0, 12)
      equal(
        'No track ended.',
        session.events(guildId).filter((name) => name.startsWith('TrackEnd')),
        [],
      )
    },
  }),
  should('voice.same', source('player/PlayerRestHandler.kt'), {
    title: 'The same voice state once more does not interrupt the music.',
    async run(stage) {
      const { testGuild, update, listener, voice } = await stage.playing(stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      await listener.hear(500)
      await testGuild.packets(true)
      await update({ voice })
      await listener.hear(2500)
      within('The longest gap, in ms', (await testGuild.packets()).gapMs.longest, 0, 300)
    },
  }),
  must('voice.closed', websocket('websocketclosedevent'), {
    title: 'WebSocketClosedEvent comes with Discord’s code when Discord closes the voice socket.',
    async run(stage) {
      const { testGuild, session, guildId } = await stage.joined()
      await testGuild.closeSocket(4014)
      const { code, byRemote } = await session.event('WebSocketClosedEvent', guildId)
      equal('The event', { code, byRemote }, { code: 4014, byRemote: true })
    },
  }),
  must('voice.closed-codes', websocket('websocketclosedevent'), {
    title: 'So it does with the codes for an ended session and for a crowded channel.',
    seconds: 40,
    async run(stage) {
      for (const code of [4006, 4022]) {
        const { testGuild, session, guildId } = await stage.joined()
        await testGuild.closeSocket(code)
        equal('code', (await session.event('WebSocketClosedEvent', guildId)).code, code)
      }
    },
  }),
  must('voice.closed-state', websocket('player-state'), {
    title: 'The player is not connected then.',
    async run(stage) {
      const { testGuild, session, guildId, player } = await stage.joined()
      await testGuild.closeSocket(4014)
      await session.event('WebSocketClosedEvent', guildId)
      await eventually('connected is false', async () => (await player()).state.connected === false)
    },
  }),
  should('voice.closed-update', source('io/SocketContext.kt'), {
    title: 'A player update says so.',
    async run(stage) {
      const { testGuild, session, guildId } = await stage.joined()
      const from = session.mark()
      await testGuild.closeSocket(4014)
      await session.playerUpdate(guildId, ({ connected }) => connected === false, { from })
    },
  }),
  must('voice.again', websocket('websocketclosedevent'), {
    title: 'After a closed voice socket a new voice state connects again, and the music is heard.',
    async run(stage) {
      const { testGuild, session, guildId, update, listener } = await stage.playing(stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      await testGuild.closeSocket(4006)
      await session.event('WebSocketClosedEvent', guildId)
      await update({ voice: await testGuild.join() })
      await listener.until('a tone of 440 Hz', isTone(440))
    },
  }),
  must('voice.wrong-token', websocket('websocketclosedevent'), {
    title: 'A voice state that Discord refuses is told by WebSocketClosedEvent with 4004 or 4006.',
    async run(stage) {
      const testGuild = await stage.createGuild()
      const session = await stage.connect()
      const voice = await testGuild.join()
      const { status } = await session.patch(testGuild.guildId, { voice: { ...voice, token: 'expired' } })
      holds('The update is answered.', status === 200 || status === 500, '200 or 500', status)
      const { code } = await session.event('WebSocketClosedEvent', testGuild.guildId)
      holds('The code is Discord’s.', code === 4004 || code === 4006, '4004 or 4006', code)
    },
  }),
  must('voice.two-guilds', rest('get-players'), {
    title: 'Players of two guilds in one session play their own tracks.',
    async run(stage) {
      const tracks = [
        await stage.track(stage.media.wave('tone-440', LONG)),
        await stage.track(stage.media.wave('tone-880', LONG)),
      ]
      const session = await stage.connect()
      const testGuilds = [await stage.createGuild(), await stage.createGuild()]
      const all = testGuilds.map(async (testGuild, i) => {
        const listener = await testGuild.listen()
        await session.update(testGuild.guildId, {
          voice: await testGuild.join(),
          track: { encoded: tracks[i]?.encoded },
        })
        await listener.until(`the tone of guild ${i + 1}`, isTone(440 * (i + 1)))
      })
      await Promise.all(all)
    },
  }),
]
