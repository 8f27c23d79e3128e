import { expect } from 'chai'
import { getGuild, giveVoiceBack, moveInVoice } from 'bandstand-sandbox/world'
import { eventually } from '../support/service.ts'
import type { Said } from './lavalink/recorder.ts'
import { openHall, perform, type ForeignClient, type Hall, type Performance } from './lavalink/stage.ts'

/** Module that uses the packages of this folder, which have their own types. */
const PROTOCOL = './lavalink/protocol.mjs'
const NAMES = [
  'shoukaku',
  'lavalink-client',
  'moonlink',
  'riffy',
  'rainlink',
  'hoshimi',
  'discolink',
  'magmastream',
  'poru',
]

const isReady = ({ kind, body }: Said) => kind === 'socket' && (body as { op?: string }).op === 'ready'

describe('a bot of another library', () => {
  let hall: Hall
  let violationOf: (said: Said) => string | null
  before(async () => {
    ;({ violationOf } = await import(PROTOCOL))
    hall = await openHall()
  })
  after(() => hall.close())

  for (const name of NAMES) {
    describe(`with ${name}, unchanged,`, () => {
      let show: Performance
      let client: ForeignClient
      before(async () => {
        const module = await import(`./lavalink/clients/${name}.mjs`)
        client = Object.values(module)[0] as ForeignClient
        hall.recorder.said.splice(0)
        show = await perform(client, hall)
        await show.hearTold('ready')
      })
      after(() => show.close())

      it('finds a track by its URL, and nothing where nothing is', async () => {
        const [track] = await show.bot.find(hall.songs.urlOf('Stairs'))
        expect(show.bot.titleOf(track)).to.equal('Stairs')
        // Some leave the refusal to the bot.
        const missing = await show.bot.find(hall.songs.urlOf('Stairs').replace('stairs', 'nothing')).catch(() => [])
        expect(missing.filter((one) => one !== null && one !== undefined)).to.deep.equal([])
      })

      it('joins and plays, and a member hears it encrypted end to end', async () => {
        await show.play('Stairs')
        await show.hearTold('trackStart')
        expect(show.ear.isEncrypted).to.equal(true)
      })

      it('pauses, and goes on where it was', async () => {
        await show.play('Stairs')
        await show.bot.pause(show.guildId, true)
        await show.hearSilence()
        await show.bot.pause(show.guildId, false)
        await show.hearStep(0, 6)
      })

      it('seeks', async () => {
        await show.play('Stairs')
        await show.bot.seek(show.guildId, 30_000)
        await show.hearStep(30)
        await eventually(
          () => show.bot.position(show.guildId),
          (ms) => ms > 29_000 && ms < 60_000,
        )
      })

      it('changes the volume', async () => {
        await show.play('Tone')
        await show.bot.volume(show.guildId, 100)
        await eventually(
          () => show.ear.sound(),
          ({ loudness }) => Math.abs(loudness - 0.15) < 0.02,
          5000,
        )
        await show.bot.volume(show.guildId, 30)
        await eventually(
          () => show.ear.sound(),
          ({ loudness, ms }) => ms > 400 && loudness < 0.1 && loudness > 0.01,
        )
        await show.bot.volume(show.guildId, 100)
      })

      it('sets a filter and takes it away', async () => {
        await show.play('Tone')
        await show.bot.pitch(show.guildId, 2)
        await show.hearTone(2)
        await show.bot.pitch(show.guildId, 1)
        await show.hearTone()
      })

      it('replaces what plays, and hears of it', async () => {
        await show.play('Stairs')
        const since = show.told.length
        await show.play('Tone')
        if (show.bot.tellsReplaced) await show.hearTold('trackEnd replaced', since)
        await show.hearTold('trackStart', since)
      })

      it('plays a track from where it says, and to where it says if it can', async () => {
        const since = show.told.length
        await show.play('Stairs', { position: 20_000, endTime: 22_000 })
        if (show.bot.playsUntil) await show.hearTold(show.bot.endsQueue ? 'queueEnd' : 'trackEnd finished', since)
      })

      it('hears that a track and its queue ended', async () => {
        await show.play('Tone')
        const since = show.told.length
        await show.play('Short')
        await show.hearTold(show.bot.endsQueue ? 'queueEnd' : 'trackEnd finished', since)
        await show.hearSilence()
      })

      it('is followed by its music when a moderator moves it', async () => {
        await show.play('Tone')
        const { world, demo } = hall.sandbox
        moveInVoice(world, getGuild(world, show.guildId), demo.applicationId, show.channels[1])
        await show.listenIn(show.channels[1])
        await show.hearTone()
        moveInVoice(world, getGuild(world, show.guildId), demo.applicationId, show.channels[0])
        await show.listenIn(show.channels[0])
        await show.hearTone()
      })

      it('plays on when its voice server changes', async () => {
        await show.play('Tone')
        const { world } = hall.sandbox
        // New secrets for all in it, the listener included, who comes back with theirs.
        giveVoiceBack(world, getGuild(world, show.guildId))
        await show.listenIn(show.channels[0])
        await show.hearTone()
        const { frames } = show.ear
        await eventually(
          () => show.ear.frames,
          (count) => count > frames + 50,
        )
      })

      it('resumes its session after a lost socket, while the music plays on', async () => {
        await show.play('Stairs')
        const { said } = hall.recorder
        const [since, toldBefore] = [said.length, show.told.length]
        hall.recorder.cutSockets()
        await eventually(() => said.slice(since).some(isReady), Boolean)
        const resumed = show.bot.resumes !== false
        expect(said.slice(since).find(isReady)?.body).to.include({ resumed })
        const isBack = () => /ready|resumed/.test(show.told.slice(toldBefore).join())
        await eventually(isBack, Boolean)
        // The bot starts again, with a player of the new session.
        if (!resumed) return show.leave()
        await show.bot.seek(show.guildId, 40_000)
        await show.hearStep(40)
      })

      it('leaves, and comes back', async () => {
        await show.play('Tone')
        await show.leave()
        await show.play('Stairs')
      })

      it('plays again after its node was killed and came back', async () => {
        await show.play('Tone')
        const since = show.told.length
        await hall.node.kill()
        hall.recorder.target = null
        hall.recorder.cutSockets()
        await show.hearTold('lost', since)
        await hall.node.restart()
        hall.recorder.target = hall.node.port
        const back = show.told.length
        await show.hearTold('ready', back)
        if (show.channelOfBot() !== null) await show.leave()
        await show.play('Stairs')
      })

      it('is told nothing that breaks the protocol', () => {
        const wrong = hall.recorder.said.flatMap((one) => violationOf(one) ?? [])
        expect(hall.recorder.said.length).to.be.greaterThan(30)
        expect(wrong.slice(0, 3).join('\n')).to.equal('')
      })
    })
  }
})
