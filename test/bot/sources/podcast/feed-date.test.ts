import { expect } from 'chai'
import { feedDate } from '../../../../bot/sources/podcast/feed-date.ts'

const readAll = (dates: readonly string[]) =>
  dates.map((text) => {
    const atMs = feedDate(text)
    return atMs === null ? null : new Date(atMs).toISOString().slice(0, 16)
  })

describe('the date of an episode', () => {
  it('has a time zone by name, as an offset or as a place; an unknown one is UTC', () => {
    const zones = [
      'GMT',
      'BST',
      'CET',
      'CEST',
      'MESZ',
      'EEST',
      'MSK',
      'IST',
      'JST',
      'AEST',
      'NZDT',
      'EDT',
      'BRT',
      'XYZT',
      '',
    ]
    const hours = readAll(zones.map((zone) => `Mon, 01 Jul 2024 12:00:00 ${zone}`)).map((text) => text?.slice(8))
    expect(hours).to.deep.equal(
      ['12:00', '11:00', '11:00', '10:00', '10:00', '09:00', '09:00', '06:30', '03:00', '02:00']
        .map((at) => `01T${at}`)
        .concat(['30T23:00', '01T16:00', '01T15:00', '01T12:00', '01T12:00']),
    )
    const offsets = ['+0200', '+02:00', 'GMT+2', 'UTC+02:00', '+0200 (CEST)', 'Europe/Berlin']
    for (const zone of offsets) {
      expect(readAll([`Mon, 01 Jul 2024 12:00:00 ${zone}`]), zone).to.deep.equal(['2024-07-01T10:00'])
    }
  })

  it('is read in other languages and forms', () => {
    const dates = [
      'Mo, 01 Juli 2024 12:00:00 MESZ',
      'lun., 1 juil. 2024 12:00:00 +0200',
      'lunes, 1 de julio de 2024 12:00:00 CEST',
      'pon., 01 lip 2024 12:00:00 CEST',
      'Пн, 01 июл 2024 13:00:00 MSK',
      '1 Jul 24 06:00 EDT',
      'Monday, 01-Jul-24 10:00:00 GMT',
      'Mon, 1 July 2024 6:00:00 AM EDT',
      '2024-07-01T12:00:00+02:00',
      '2024-07-01T10:00:00',
    ]
    expect(readAll(dates)).to.deep.equal(dates.map(() => '2024-07-01T10:00'))
    expect(readAll(['So, 3 März 2024 06:00:00 MEZ', 'sáb, 03 fev 2024 06:00:00 BRT'])).to.deep.equal([
      '2024-03-03T05:00',
      '2024-02-03T09:00',
    ])
  })

  it('is none where there is none', () => {
    expect(readAll(['', 'soon', 'Mon, 01 Foo 2024 12:00:00 GMT', '-'.repeat(2000), ' '.repeat(2000)])).to.deep.equal(
      Array.from({ length: 5 }, () => null),
    )
  })
})
