import { expect } from 'chai'
import { Fault } from '../../../lib/errors.ts'
import { createLog } from '../../../lib/log.ts'
import { createHolidays, type Holidays } from '../../../upstream/holidays/holidays.ts'
import { createLocalWorker, type LocalWorker } from '../../../upstream/local/worker-handle.ts'
import { createTestContext, type TestContext } from '../../support/upstreams/context.ts'

describe('holidays', () => {
  let worker: LocalWorker
  let context: TestContext
  let holidays: Holidays
  before(() => {
    context = createTestContext()
    worker = createLocalWorker({ log: createLog('silent') })
    holidays = createHolidays(context, worker)
  })
  after(async () => {
    await worker.close()
    await context.close()
  })

  const on = async (country: string, date: string, more: object = {}) =>
    (await holidays.find({ country, year: Number(date.slice(0, 4)), ...more })).filter((day) => day.date === date)

  const days = async (year: number) =>
    (await holidays.find({ country: 'CN', year }))
      .filter(({ name }) => name === 'Spring Festival')
      .map(({ date }) => date.slice(5))

  it('lists the countries by name with their states, and an empty list where there are none', async () => {
    const all = await holidays.countries()
    expect(all).to.have.length.above(150)
    expect(all.map(({ name }) => name)).to.deep.equal(
      all.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en')),
    )
    expect(all.find(({ code }) => code === 'MC')?.states).to.deep.equal([])
    const louisiana = all.find(({ code }) => code === 'US')?.states.find(({ code }) => code === 'LA')
    expect(louisiana).to.deep.equal({ code: 'LA', name: 'Louisiana', regions: [{ code: 'NO', name: 'New Orleans' }] })
  })

  it('takes a country in any case and by its customary name', async () => {
    const [day] = await on('gb', '2026-12-25')
    expect(day?.name).to.equal('Christmas Day')
    expect(await on('uk', '2026-12-25')).to.deep.equal([day])
  })

  it('says not found for unknown countries and states, and for the names of object properties', async () => {
    for (const [country, state] of [
      ['XX'],
      ['EN'],
      ['__proto__'],
      ['constructor'],
      ['DE', 'XX'],
      ['MC', 'A'],
      ['US', 'LA-XX'],
      ['US', '__proto__'],
    ]) {
      const refused = await holidays.find({ country: country ?? '', state }).catch((error: unknown) => error)
      expect(refused, `${country} ${state}`).to.be.instanceOf(Fault).and.to.include({ code: 'not_found' })
    }
  })

  it('knows states and regions, written with or without the country, in any case', async () => {
    for (const state of ['SCT', 'gb-sct']) expect(await on('GB', '2026-11-30', { state }), state).to.have.length(1)
    expect(await on('GB', '2026-11-30')).to.have.length(0)
    expect(await on('US', '2026-02-17', { state: 'us-la-no' })).to.deep.include.members(
      await on('US', '2026-02-17', { state: 'LA' }),
    )
  })

  it('gives the day it is there, east of Greenwich too, and its exact beginning and end', async () => {
    const [newYear] = await on('JP', '2026-01-01')
    expect(newYear).to.include({ start: '2025-12-31T15:00:00.000Z', end: '2026-01-01T15:00:00.000Z', type: 'public' })
  })

  it('keeps days of more than a day, half days, and days that begin on the evening before', async () => {
    expect(hours((await on('BR', '2026-02-14'))[0])).to.equal(48)
    expect(hours((await on('DE', '2026-12-24'))[0])).to.equal(10)
    expect((await on('IL', '2026-02-02'))[0]?.start).to.equal('2026-02-01T16:00:00.000Z')
  })

  it('begins and ends holidays of several days as the law of the country does', async () => {
    const seollal = [
      ['2026-02-16', '2026-02-19'],
      ['2027-02-06', '2027-02-09'],
      ['2028-01-26', '2028-01-29'],
    ] as const
    for (const [date, after] of seollal) {
      const [first, ...others] = await on('KR', date, { language: 'ko' })
      expect(first, date).to.include({ name: '설날', start: seoul(date), end: seoul(after), type: 'public' })
      expect(others).to.deep.equal([])
    }
    expect((await on('KR', '2027-02-07')).concat(await on('KR', '2027-02-08'))).to.deep.equal([])
    expect((await on('KR', '2027-02-09'))[0]).to.include({ name: 'Korean New Year (substitute day)' })
    const [chuseok] = await on('KR', '2027-09-14')
    expect(chuseok).to.include({ start: seoul('2027-09-14'), end: seoul('2027-09-17') })

    expect(await days(2013)).to.deep.equal(['02-09', '02-10', '02-11'])
    expect(await days(2024)).to.deep.equal(['02-10', '02-11', '02-12'])
    expect(await days(2027)).to.deep.equal(['02-05', '02-06', '02-07', '02-08'])

    const [tet] = await on('VN', '2027-02-05')
    expect(tet).to.include({ start: '2027-02-04T17:00:00.000Z', end: '2027-02-09T17:00:00.000Z' })
    const [bayram] = await on('TR', '2027-03-09')
    expect(bayram).to.include({ start: '2027-03-08T10:00:00.000Z', end: '2027-03-11T21:00:00.000Z' })
    expect(hours((await on('TR', '2027-05-16'))[0])).to.equal(4 * 24 + 11)
    expect((await on('AE', '2027-05-15')).map(({ name }) => name)).to.deep.equal(['Day of Arafah'])
  })

  it('gives both a holiday on a weekend and its substitute, and two holidays of one day', async () => {
    expect((await on('GB', '2026-12-26')).map(({ name }) => name)).to.deep.equal(['Boxing Day'])
    expect((await on('GB', '2026-12-28')).map(({ name }) => name)).to.deep.equal(['Boxing Day (substitute day)'])
    expect((await on('IT', '2038-04-25')).map(({ name }) => name)).to.have.members([
      'Liberation from Nazi-Fascism (1945)',
      'Easter Sunday',
    ])
  })

  it('gives a whole country the days off that it leaves to its states, with those that keep them', async () => {
    const prairies = ['AB', 'MB', 'SK']
    for (const [date, name] of [
      ['2026-05-18', 'Victoria Day'],
      ['2026-10-12', 'Thanksgiving'],
    ] as const) {
      const [day, ...others] = await on('CA', date)
      expect(day, date).to.include({ name, type: 'public' })
      expect(day?.states, date)
        .to.include.members([...prairies, 'BC', 'ON', 'QC'])
        .and.not.include('NL')
      expect(others, date).to.deep.equal([])
      expect((await on('CA', date, { state: 'ON' }))[0], date).to.include({ name, states: null })
    }
    const [remembrance] = await on('CA', '2026-11-11', { language: 'fr' })
    expect(remembrance).to.include({ name: 'Jour du Souvenir', localName: 'Remembrance Day' })
    expect(remembrance?.states).to.include.members(['BC', 'NL', 'NS']).and.not.include('ON')
    expect(await on('CA', '2026-02-16'), 'kept by fewer than two thirds').to.deep.equal([])
    expect((await on('CA', '2026-07-01'))[0]).to.include({ name: 'Canada Day', states: null })
  })

  it('gives the days in order', async () => {
    const dates = (await holidays.find({ country: 'IL', year: 2026 })).map(({ date }) => date)
    expect(dates).to.deep.equal(dates.toSorted())
  })

  it('reckons Easter as the country does, and leap days', async () => {
    expect((await on('GR', '2026-04-12')).map(({ name }) => name)).to.include('Easter Sunday')
    expect((await on('DE', '2026-04-05')).map(({ name }) => name)).to.include('Easter Sunday')
    expect(
      (await holidays.find({ country: 'US', year: 2028 })).every(({ date }) => !Number.isNaN(Date.parse(date))),
    ).to.equal(true)
  })

  it('names days in English and in their own language, or in the language that was asked for', async () => {
    expect((await on('DE', '2026-01-01'))[0]).to.include({ name: "New Year's Day", localName: 'Neujahr' })
    expect((await on('BR', '2026-01-01', { language: 'pt-BR' }))[0]).to.include({
      name: 'Ano Novo',
      localName: 'Ano Novo',
    })
    expect((await on('DE', '2026-01-01', { language: 'fr-CA' }))[0]?.name).to.equal('Nouvel An')
    expect((await on('DE', '2026-01-01', { language: 'zz' }))[0]?.name).to.equal("New Year's Day")
    expect((await on('JP', '2026-01-01'))[0]?.localName).to.equal('元日')
  })

  it('narrows by type', async () => {
    const days = await holidays.find({ country: 'US', year: 2026, type: 'observance' })
    expect(days).to.have.length.above(0)
    expect(new Set(days.map(({ type }) => type))).to.deep.equal(new Set(['observance']))
  })

  it('takes the current year as it is there, not here', async () => {
    context.clock.nowMs = Date.parse('2026-12-31T20:00:00Z')
    expect((await holidays.find({ country: 'JP' }))[0]?.date).to.match(/^2027/)
    expect((await holidays.find({ country: 'US' }))[0]?.date).to.match(/^2026/)
  })

  it('computes a list once', async () => {
    const before = context.metrics.snapshot()['holidays']?.cache.hit ?? 0
    await holidays.find({ country: 'FR', year: 2026 })
    await holidays.find({ country: 'FR', year: 2026, type: 'public' })
    expect(context.metrics.snapshot()['holidays']?.cache.hit).to.be.above(before + 1)
  })
})

/** Midnight there. */
const seoul = (date: string) => new Date(`${date}T00:00+09:00`).toISOString()

const hours = (day: { start: string; end: string } | undefined) =>
  (Date.parse(day?.end ?? '') - Date.parse(day?.start ?? '')) / 3_600_000
