import { expect } from 'chai'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { COMMANDS, TABLE } from '../../../bot/commands/core/all-commands.ts'
import { readTime, showTime } from '../../../bot/commands/i18n/format.ts'
import { until } from '../../support/bots.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'

describe('commands that control the player', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  const info = () => stage.music.info(stage.scope, stage.guild.id)
  const titles = async () => {
    const { current, queue } = await stage.music.queue(stage.scope, stage.guild.id)
    return [current?.title ?? '-', ...queue.map(({ title }) => title)].join(' ')
  }
  const say = async (command: string, options = {}) => (await stage.type(command, options, { by: 1 })).text
  const permissions = async (options: Record<string, unknown>, by = 0, locale = 'en-US') =>
    (await stage.type('settings permissions', options, { by, locale })).text
  const play = async (query: string, by = 1) => {
    await stage.sit(by)
    return stage.type('play', { query }, { by })
  }

  it('pause, resume, seek, set volume and loop, mute and unmute', async () => {
    await play('A B')
    expect(await say('pause')).to.equal('Paused.')
    expect((await info()).paused).to.equal(true)
    expect(await say('resume')).to.equal('Resumed.')
    expect((await info()).paused).to.equal(false)
    expect(await say('volume', { percent: 60 })).to.equal('Volume: 60%')
    expect(await say('loop', { mode: 'queue' })).to.equal('Loop: the whole queue')
    expect(await say('seek', { time: '0:30' })).to.equal('Jumped to 0:30.')
    expect(await say('filter', { preset: 'nightcore' })).to.equal('Filter: Nightcore')
    expect((await info()).filters).to.deep.include({ preset: 'nightcore' })
    expect(await say('filter', { preset: 'hall', pitch: 12, speed: 150 })).to.equal(
      'Filter: Concert hall · +12 semitones · 150% speed',
    )
    expect((await info()).filters).to.deep.include({ preset: 'hall', timescale: { speed: 1.5, pitch: 2, rate: 1 } })
    expect(await say('sleep', { minutes: 45 })).to.match(/^Good night! The music fades out <t:\d+:R>\.$/u)
    expect((await info()).sleep?.endsAt).to.be.a('string')
    await until('the card shows it', () => textOf(stage.cards()[0]).includes('😴 Good night'))
    expect(await say('sleep', { until: 'track' })).to.equal('The music stops after this track.')
    expect(await say('sleep', { until: 'off' })).to.equal('The sleep timer is off.')
    expect(await say('sleep', {})).to.match(/^Set minutes, or/u)
    expect((await info()).sleep).to.equal(null)
    expect(await say('filter', {})).to.equal('Choose a preset, a pitch or a speed.')
    expect(await say('filter', { preset: 'off' })).to.equal('Filter: off')
    expect((await info()).filters).to.deep.equal({})
    expect(await say('mute')).to.contain('Muted')
    const player = await info()
    expect(player).to.include({ volume: 60, loop: 'queue', muted: true })
    expect(player.positionMs).to.be.within(30_000, 45_000)
    expect(await say('unmute')).to.equal('Unmuted.')
    expect(await say('seek', { time: '99:00' })).to.equal('That position doesn’t exist.')
    expect(await say('seek', { time: 'soon' })).to.contain('Enter a time like 1:23')
    expect(await say('stop')).to.contain('Stopped')
    expect(await say('pause')).to.contain('Nothing is playing')
  })

  it('reorder what waits', async () => {
    await play('A B C D E')
    expect(await say('move', { from: 4, to: 1 })).to.equal('Moved **E** to position 1')
    expect(await titles()).to.equal('A E B C D')
    expect(await say('remove', { position: 2 })).to.equal('Removed **B**')
    expect(await titles()).to.equal('A E C D')
    expect(await say('remove', { position: 9 })).to.equal('There’s no track 9. The queue has 3.')
    expect(await say('move', { from: 1, to: 9 })).to.equal('There’s no track 9. The queue has 3.')
    expect(await say('shuffle')).to.contain('Shuffled')
    expect((await titles()).split(' ').toSorted().join('')).to.equal('ACDE')
    await play('A C F F')
    expect(await say('dedupe')).to.equal('Removed duplicates; 4 tracks left.')
    expect((await titles()).split(' ').toSorted().join('')).to.equal('ACDEF')
    expect(await say('clear')).to.contain('Cleared')
    expect(await titles()).to.equal('A')
  })

  it('skip to a track that waits, in the language of the member', async () => {
    await play('A B C D E')
    expect(await say('skipto', { position: 2 })).to.equal('Skipped to **C**')
    expect(await titles()).to.equal('C D E')
    expect(await say('skipto', { position: 3 })).to.equal('There’s no track 3. The queue has 2.')
    const german = await stage.type('skipto', { position: 1 }, { by: 1, locale: 'de' })
    expect(german.text).to.equal('Springe zu **D**')
    expect(await titles()).to.equal('D E')
  })

  it('are for DJs, for managers, and for a member who listens alone, where the guild leaves the others nothing', async () => {
    await play('A B C', 1)
    const roleId = await stage.giveRole(2)
    await stage.type('settings dj', { role: roleId }, { by: 0 })
    await stage.type('settings permissions', { who: 'dj' }, { by: 0 })
    await stage.type('settings permissions', { action: 'remove', who: 'requester' }, { by: 0 })
    await stage.type('settings permissions', { action: 'skip' }, { by: 0 })
    expect((await stage.type('pause', {}, { by: 1 })).text).to.equal('Paused.')
    await stage.sit(2)
    await stage.sit(3)
    const refused = await stage.type('resume', {}, { by: 1, locale: 'de' })
    expect(refused.text).to.equal(`Das dürfen nur Mitglieder mit der Rolle <@&${roleId}>.`)
    expect(refused.isPrivate).to.equal(true)
    const notMine = await stage.type('remove', { position: 2 }, { by: 3 })
    expect(notMine.text).to.equal('Only the member who requested it, or a DJ, can do this. Ask one of them.')
    expect((await stage.type('remove', { position: 2 }, { by: 1 })).text).to.equal('Removed **C**')
    expect((await stage.type('resume', {}, { by: 2 })).text).to.equal('Resumed.')
    expect((await stage.type('volume', { percent: 10 }, { by: 0 })).text).to.equal('Volume: 10%')
    expect((await stage.type('skip', {}, { by: 3 })).text).to.contain('**1 of 2** votes')
    expect((await stage.type('skip', {}, { by: 2 })).text).to.contain('Now playing **B**')
  })

  it('answer every member in the language of their app', async () => {
    await play('A')
    const said = new Set<string>()
    for (const locale of ['en-GB', 'de', 'fr', 'es-ES', 'es-419', 'pt-BR', 'ja', 'ko']) {
      said.add((await stage.type('volume', { percent: 55 }, { by: 1, locale })).text)
    }
    expect([...said]).to.deep.equal([
      'Volume: 55%',
      'Lautstärke: 55 %',
      'Volume\u00A0: 55\u202F%',
      'Volumen: 55\u00A0%',
      '音量：55%',
    ])
  })

  describe('/settings', () => {
    it('permissions shows everyone who may do what, and lets managers change it, one or all, and back', async () => {
      const shown = await permissions({}, 1)
      expect(shown).to.contain('**Stop and leave:** the requester, others by vote').and.not.to.contain('changed')
      expect(await permissions({}, 1, 'de')).to.contain('**Stoppen und verlassen:** wer den Titel gewünscht hat')
      expect(await permissions({ action: 'stop', who: 'everyone' }, 1)).to.equal(
        'You need the “Manage Server” permission. Ask a server manager.',
      )
      const changed = await permissions({ action: 'stop', who: 'dj' })
      expect(changed).to.contain('Saved.').and.to.contain('**Stop and leave:** DJs · changed')
      expect(await permissions({ action: 'play', who: 'vote' })).to.contain('“Add tracks” can be for all listeners or')
      const all = await permissions({ who: 'requester' })
      expect(all.match(/:\*\* the requester · changed/gu)).to.have.length(14)
      expect(all).to.contain('**Add tracks:** all listeners')
      expect(await permissions({ action: 'seek' })).to.contain('**Seek:** the requester, others by vote\n')
    })

    it('permissions can leave adding tracks to DJs', async () => {
      await stage.sit(1)
      await stage.sit(2)
      await stage.type('settings permissions', { action: 'play', who: 'dj' })
      expect((await stage.type('play', { query: 'A' }, { by: 1 })).text).to.contain('“Manage Server”')
      await stage.sit(2, null)
      expect((await stage.type('play', { query: 'A' }, { by: 1 })).text).to.contain('Now playing')
    })

    it('change how the bot behaves, for managers alone, and show it to everyone', async () => {
      const refused = await stage.type('settings stay', { on: true }, { by: 1, locale: 'fr' })
      expect(refused.text).to.contain('Gérer le serveur')
      const changed = await stage.type('settings votes', { percent: 75 })
      expect(changed.text).to.contain('Saved.').and.to.contain('**Votes needed:** 75%')
      await stage.type('settings volume', { percent: 40 })
      await stage.type('settings stay', { on: true })
      await stage.type('settings language', { language: 'de' })
      await stage.type('settings limit', { tracks: 3 })
      await stage.type('settings announce', { channel: stage.sandbox.demo.textChannelId })
      const shown = await stage.type('settings show', {}, { by: 3 })
      expect(shown.isPrivate).to.equal(true)
      for (const part of ['**Stay 24/7:** on', '40%', 'Deutsch', '<#', 'member:** 3']) {
        expect(shown.text).to.contain(part)
      }
      await play('A')
      expect((await info()).volume).to.equal(40)
      await stage.type('settings reset')
      const { settings } = stage.test
      expect(await settings.get(stage.scope.botId, stage.guild.id)).to.include({
        voteRatio: 0.5,
        stays: false,
        volume: 100,
      })
    })

    it('let the bot stay with no one there, and only as long as it is wanted', async () => {
      await play('A')
      await stage.type('settings stay', { on: true })
      await stage.sit(1, null)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(await titles()).to.equal('A')
    })

    it('make turns, refuse duplicates and bound what one member queues', async () => {
      await stage.type('settings fair', { on: true })
      await stage.type('settings duplicates', { on: false })
      await stage.type('settings limit', { tracks: 3 })
      await play('A B C', 1)
      await stage.sit(2)
      await stage.type('play', { query: 'X Y' }, { by: 2 })
      expect(await titles()).to.equal('A X B Y C')
      const twice = await stage.type('play', { query: 'X' }, { by: 1, locale: 'pt-BR' })
      expect(twice.text).to.contain('não permite repetidas')
      await stage.type('play', { query: 'D' }, { by: 1 })
      expect((await stage.type('play', { query: 'E' }, { by: 1 })).text).to.contain('limit for queued tracks')
      expect(await titles()).to.equal('A X B Y C D')
    })

    it('take no channel that the bot cannot write in', async () => {
      const { textChannelId, applicationId } = stage.sandbox.demo
      await stage.control('PATCH', `/guilds/${stage.guild.id}/channels/${textChannelId}`, {
        deny: [{ userId: applicationId, permissions: String(1 << 11) }],
      })
      const refused = await stage.type('settings announce', { channel: textChannelId })
      expect(refused.text).to.contain('can’t post in that channel')
    })
  })

  describe('favourites and playlists', () => {
    it('keep tracks for each member alone, offered while they type', async () => {
      expect((await stage.type('favourites list', {}, { by: 1 })).text).to.contain('no favorites yet')
      await play('A B')
      expect((await stage.type('favourites add', {}, { by: 1 })).text).to.contain('Added **A** to your favorites')
      expect((await stage.type('favourites add', {}, { by: 1 })).text).to.contain('already')
      await stage.type('skip', {}, { by: 1 })
      await stage.type('favourites add', {}, { by: 1 })
      expect((await stage.type('favourites list', {}, { by: 1 })).text)
        .to.contain('**A**')
        .and.to.contain('**B**')
      expect((await stage.type('favourites list', {}, { by: 2 })).text).to.contain('no favorites yet')
      const listed = await stage.type('favourites list', {}, { by: 1 })
      const [option] = listed.whole.message.components[0].components[0].options
      const chosen = await stage.choose(listed.messageId, 'favourite', [option.value], { by: 1 })
      expect(chosen.text).to.match(/^Added \*\*[AB]\*\* · #1 in the queue$/)
      await stage.type('clear', {}, { by: 1 })
      const { choices } = await stage.complete('favourites remove', 'track', 'b', { by: 1 })
      expect(choices.map(({ name }) => name)).to.include('B · somebody')
      const value = choices.find(({ name }) => name.startsWith('B'))?.value
      expect((await stage.type('favourites play', { track: value }, { by: 1 })).text).to.contain('Added **B**')
      expect((await stage.type('favourites remove', { track: value }, { by: 1 })).text).to.contain('Removed **B**')
      expect((await stage.type('favourites remove', { track: 'zzz' }, { by: 1 })).text).to.contain(
        'isn’t in your favorites',
      )
      await stage.type('favourites play', {}, { by: 1 })
      expect(await titles()).to.equal('B B A')
    })

    it('save the queue under a name, load it again, and forget it', async () => {
      await play('A B C')
      expect((await stage.type('playlist save', { name: 'Road Trip' }, { by: 1 })).text).to.contain('Saved 3 tracks')
      await stage.type('stop', {}, { by: 1 })
      expect((await stage.complete('playlist load', 'name', 'road', { by: 1 })).choices).to.deep.equal([
        { name: 'Road Trip · 3 tracks', value: 'Road Trip' },
      ])
      expect((await stage.complete('playlist load', 'name', '', { by: 2 })).choices).to.deep.equal([])
      expect((await stage.type('playlist load', { name: 'road trip' }, { by: 1 })).text).to.contain('2 in the queue')
      expect(await titles()).to.equal('A B C')
      expect((await stage.type('playlist list', {}, { by: 1 })).text).to.contain('**Road Trip** · 3 tracks')
      expect((await stage.type('playlist delete', { name: 'Road Trip' }, { by: 2 })).text).to.contain('no playlist')
      expect((await stage.type('playlist delete', { name: 'Road Trip' }, { by: 1 })).text).to.contain('Deleted')
      expect((await stage.type('playlist load', { name: 'Road Trip' }, { by: 1 })).text).to.contain('no playlist')
    })
  })

  it('are registered with Discord once, and again only when they have changed', async () => {
    const { applications } = stage.sandbox.world
    const versions = () =>
      [...(applications.get(stage.scope.botId)?.commands.values() ?? [])].map(({ version }) => version)
    const before = versions()
    expect(before).to.have.length(COMMANDS.length + TABLE.menuCommands.length)
    await stage.test.bots.close()
    const again = stage.test.restart()
    while (!again.isConnected(stage.scope.botId)) await new Promise((resolve) => setTimeout(resolve, 10))
    await stage.type('queue')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(versions()).to.deep.equal(before)
  })
})

describe('the table of commands', () => {
  it('names everything in every language, as Discord takes it and without two of a name', () => {
    const name = /^[-_'\p{L}\p{N}]{1,32}$/u
    const check = (options: readonly any[]): void => {
      for (const locale of ['', 'de', 'fr', 'es-ES', 'es-419', 'pt-BR', 'ja']) {
        const names = options.map((it) => (locale === '' ? it.name : it.name_localizations[locale]))
        expect(new Set(names).size, `${locale} ${names.join()}`).to.equal(options.length)
        for (const one of names) expect(one).to.match(name).and.equal(one.toLowerCase())
        const texts = options.map((it) => (locale === '' ? it.description : it.description_localizations[locale]))
        for (const text of texts) expect(text.length, text).to.be.within(1, 100)
      }
      for (const { options: inner } of options) if (inner) check(inner)
    }
    check(COMMANDS.map(({ definition }) => definition))
    expect(COMMANDS.length).to.be.at.most(100)
    expect(LANGUAGES).to.have.length(6)
  })
})

describe('times', () => {
  it('are read as people write them, and shown the same way', () => {
    expect(['83', '1:23', '01:02:03', '0'].map(readTime)).to.deep.equal([83_000, 83_000, 3_723_000, 0])
    expect(['', '1:60', 'x', '1:2:3:4', '-1', '1.5'].map(readTime)).to.deep.equal([null, null, null, null, null, null])
    expect([0, 59_999, 83_000, 3_723_000].map(showTime)).to.deep.equal(['0:00', '0:59', '1:23', '1:02:03'])
  })
})
