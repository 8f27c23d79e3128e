import { must, should, type Check } from '../../suite/check.ts'
import { CHANGELOG, rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, within } from '../../suite/expect.ts'
import { pitch, type Sound } from '../../sound/measure.ts'
import { LEFT_HZ, RIGHT_HZ, stairSeconds } from '../../sound/wave.ts'
import { heardSeconds, isSilent, isSound, isTone } from './heard.ts'

const isStereo = ({ left, right }: Sound) =>
  Math.abs((pitch(left) ?? 0) - LEFT_HZ) < 6 && Math.abs((pitch(right) ?? 0) - RIGHT_HZ) < 6
const isEarly = (sound: Sound) => isSound(sound) && stairSeconds(pitch(sound.left) ?? 0) < 12

export const PLAYBACK_CHECKS: readonly Check[] = [
  must('playback.heard', rest('update-player'), {
    title: 'A track is heard in the voice channel, in its own pitch.',
    async run(stage) {
      const { listener } = await stage.playing(stage.media.wave('tone-440', 30))
      await listener.until('a tone of 440 Hz', isTone(440))
    },
  }),
  must('playback.stereo', rest('channel-mix'), {
    title: 'Left and right are kept apart.',
    async run(stage) {
      const { listener } = await stage.playing(stage.media.wave('stereo', 30))
      await listener.until('440 Hz on the left and 1250 Hz on the right', isStereo)
    },
  }),
  must('playback.mp3', rest('update-player'), {
    title: 'An MP3 file is heard.',
    async run(stage) {
      const { listener } = await stage.playing(stage.media.mp3(20))
      await listener.until('a tone of 440 Hz', isTone(440))
    },
  }),
  must('playback.stream', rest('update-player'), {
    title: 'A radio stream is heard.',
    async run(stage) {
      const { listener } = await stage.playing(stage.media.stream())
      await listener.until('a tone of 440 Hz', isTone(440))
    },
  }),
  must('playback.answer', rest('update-player'), {
    title: 'The answer of the update has the track that it started.',
    async run(stage) {
      const { encoded, info } = await stage.track(stage.media.wave('tone-440', 30))
      const { update } = await stage.joined()
      const { track } = await update({ track: { encoded } })
      equal('identifier', track?.info.identifier, info.identifier)
      equal('encoded', track?.encoded, encoded)
    },
  }),
  must('playback.identifier', rest('update-player-track'), {
    title: 'A track is played by its identifier.',
    async run(stage) {
      const { update, listener } = await stage.joined()
      const identifier = stage.media.wave('tone-660', 30)
      equal('uri', (await update({ track: { identifier } })).track?.info.uri, identifier)
      await listener.until('a tone of 660 Hz', isTone(660))
    },
  }),
  must('playback.old-encoded', rest('update-player'), {
    title: 'The older field encodedTrack plays a track, and null stops it.',
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-550', 30))
      const { update, listener } = await stage.joined()
      await update({ encodedTrack: encoded })
      await listener.until('a tone of 550 Hz', isTone(550))
      equal('track', (await update({ encodedTrack: null })).track, null)
      await listener.until('silence', isSilent)
    },
  }),
  must('playback.old-identifier', rest('update-player'), {
    title: 'The older field identifier plays a track.',
    async run(stage) {
      const { update, listener } = await stage.joined()
      await update({ identifier: stage.media.wave('tone-550', 30) })
      await listener.until('a tone of 550 Hz', isTone(550))
    },
  }),
  must('playback.position', websocket('player-state'), {
    title: 'The position that the server says is what is heard.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60))
      await playing.listener.until('sound', isSound)
      await playing.listener.hear(2000)
      const heard = await heardSeconds(playing)
      within('Said less heard, in s', (await playing.player()).state.position / 1000 - heard, -1, 1.5)
    },
  }),
  must('playback.start-position', rest('update-player'), {
    title: 'A track starts at the position that comes with it.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60), { position: 20_000 })
      within('What is heard, in s', await heardSeconds(playing), 19.5, 21.5)
    },
  }),
  must('playback.seek', rest('update-player'), {
    title: 'A position alone seeks in the track that plays.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60))
      await playing.listener.until('sound', isSound)
      await playing.update({ position: 30_000 })
      await playing.listener.until('the thirtieth second', (sound) => stairSeconds(pitch(sound.left) ?? 0) > 29)
      within('What is heard, in s', await heardSeconds(playing), 29.5, 34)
    },
  }),
  must('playback.seek-back', rest('update-player'), {
    title: 'It seeks backwards as well.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60), { position: 40_000 })
      await playing.listener.until('sound', isSound)
      await playing.update({ position: 5000 })
      await playing.listener.until('the fifth second', isEarly)
      within('What is heard, in s', await heardSeconds(playing), 4.5, 9)
    },
  }),
  should('playback.seek-update', source('player/PlayerRestHandler.kt'), {
    title: 'A player update follows a seek at once.',
    async run(stage) {
      const { session, guildId, listener, update } = await stage.playing(stage.media.wave('stairs', 60))
      await listener.until('sound', isSound)
      const from = session.mark()
      await update({ position: 30_000 })
      await session.playerUpdate(guildId, ({ position }) => position >= 29_500, { from, withinMs: 1500 })
    },
  }),
  must('playback.pause', rest('update-player'), {
    title: 'A paused player is silent and keeps its position; it goes on where it was.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60))
      await playing.listener.until('sound', isSound)
      await playing.listener.hear(1500)
      await playing.update({ paused: true })
      await playing.listener.until('silence', isSilent)
      const { position } = (await playing.player()).state
      await playing.listener.hear(1500)
      within('Position later, in ms', (await playing.player()).state.position - position, -100, 100)
      await playing.update({ paused: false })
      within('Heard less said, in s', (await heardSeconds(playing)) - position / 1000, -1.5, 1)
    },
  }),
  must('playback.seek-paused', CHANGELOG, {
    title: 'A paused track can be sought.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60))
      await playing.listener.until('sound', isSound)
      await playing.update({ paused: true })
      await playing.listener.until('silence', isSilent)
      await playing.update({ position: 25_000 })
      await playing.update({ paused: false })
      within('What is heard, in s', await heardSeconds(playing), 24.5, 26.5)
    },
  }),
  must('playback.starts-paused', rest('update-player'), {
    title: 'A track that comes with paused is silent at its beginning until it goes on.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60), { paused: true })
      equal('It is silent.', isSilent(await playing.listener.hear(1500)), true)
      equal('paused', (await playing.player()).paused, true)
      await playing.update({ paused: false })
      within('What is heard, in s', await heardSeconds(playing), 0, 1)
    },
  }),
  should('playback.play-unpauses', source('player/PlayerRestHandler.kt'), {
    title: 'A track without paused is heard, though the player was paused before.',
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-550', 30))
      const { update, listener } = await stage.joined()
      await update({ paused: true })
      equal('paused', (await update({ track: { encoded } })).paused, false)
      await listener.until('a tone of 550 Hz', isTone(550))
    },
  }),
  should('playback.without-voice', source('player/PlayerRestHandler.kt'), {
    title: 'A track may come before the voice: it is heard as soon as the bot is in its channel.',
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-440', 60))
      const testGuild = await stage.createGuild()
      const listener = await testGuild.listen()
      const session = await stage.connect()
      await session.update(testGuild.guildId, { track: { encoded } })
      await session.update(testGuild.guildId, { voice: await testGuild.join() })
      await listener.until('a tone of 440 Hz', isTone(440))
    },
  }),
  must('playback.together', rest('update-player'), {
    title: 'Track and voice may come in one update.',
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-440', 60))
      const testGuild = await stage.createGuild()
      const listener = await testGuild.listen()
      const session = await stage.connect()
      await session.update(testGuild.guildId, {
        voice: await testGuild.join(),
        track: { encoded },
        volume: 80,
        position: 1000,
      })
      await listener.until('a tone of 440 Hz', isTone(440))
      holds('The volume is kept.', (await session.player(testGuild.guildId)).volume === 80, 'volume 80', 'another one')
    },
  }),
]
