import { expect } from 'chai'
import { createGuildSettings, SETTINGS_TOPIC } from '../../../db/music/guild-settings.ts'
import { createKnownGuildSettings, type KnownGuildSettings } from '../../../db/music/known-guild-settings.ts'
import { eventually } from '../../support/service.ts'
import { insertProject } from '../../support/store-rows.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

const BOT = '111111111111111111'
const OTHER = '222222222222222222'
const GUILD = '333333333333333333'

describeOnEachEngine('Settings of guilds in memory', (opened) => {
  let here: KnownGuildSettings
  let there: KnownGuildSettings
  beforeEach(async () => {
    const { store } = opened
    await insertProject(store, 'prj_ours', [BOT, OTHER])
    const open = () =>
      createKnownGuildSettings(createGuildSettings(store), (listener) => store.subscribe(SETTINGS_TOPIC, listener))
    here = open()
    there = open()
  })

  it('are known as they were read, and changed for every bot of the project at once', async () => {
    expect(here.known(BOT, GUILD).volume).to.equal(100)
    await here.get(OTHER, GUILD)
    await here.change(BOT, GUILD, { volume: 30 })
    expect([here.known(BOT, GUILD).volume, here.known(OTHER, GUILD).volume]).to.deep.equal([30, 30])
    await here.reset(OTHER, GUILD)
    expect([here.known(BOT, GUILD).volume, here.known(OTHER, GUILD).volume]).to.deep.equal([100, 100])
  })

  it('are soon known where another service has changed them', async () => {
    expect((await there.get(BOT, GUILD)).volume).to.equal(100)
    await here.change(BOT, GUILD, { volume: 30 })
    await eventually(
      () => there.known(BOT, GUILD).volume,
      (volume) => volume === 30,
    )
    expect((await there.get(BOT, GUILD)).volume).to.equal(30)
  })

  it('are read once by those who ask at the same time, and not again while nothing changes', async () => {
    let reads = 0
    const records = createGuildSettings(opened.store)
    const counted = createKnownGuildSettings(
      {
        ...records,
        get(botId, guildId) {
          reads += 1
          return records.get(botId, guildId)
        },
      },
      () => undefined,
    )
    await Promise.all([counted.get(BOT, GUILD), counted.get(BOT, GUILD)])
    await counted.get(BOT, GUILD)
    expect(reads).to.equal(1)
  })
})
