import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { Country, CountryPath, Holiday, HolidaysQuery } from '../../../upstream/holidays/schemas.ts'

const holidayRoute = { tag: 'Holidays', class: 'cheap', envelope: envelopes.success } as const

export const listHolidayCountries = route('listHolidayCountries', 'GET /v1/holidays/countries', {
  ...holidayRoute,
  summary: 'List the countries with holidays',
  description: 'Includes states, and the regions of some states.',
  faults: ['service_unavailable'],
  etag: true,
  data: z.array(Country),
  example: { data: [{ code: 'MC', name: 'Monaco', states: [] }] },
  handle: (_request, { holidays }) => holidays.countries(),
})

export const listHolidays = route('listHolidays', 'GET /v1/holidays/{country}', {
  ...holidayRoute,
  summary: "List a country's holidays",
  description:
    'Returns them in order of date. A country also gets the holidays that two thirds of its states keep, such as ' +
    'Thanksgiving in Canada. Dates of lunar and Islamic calendars are calculated in advance and can be off by a day. ' +
    'Data by date-holidays (CC BY-SA 3.0).',
  faults: ['not_found', 'service_unavailable'],
  path: CountryPath,
  query: HolidaysQuery,
  data: z.array(Holiday),
  example: {
    path: { country: 'DE' },
    query: { year: '2026', state: 'BY' },
    data: [
      {
        date: '2026-01-01',
        name: "New Year's Day",
        localName: 'Neujahr',
        type: 'public',
        start: '2025-12-31T23:00:00.000Z',
        end: '2026-01-01T23:00:00.000Z',
        states: null,
      },
    ],
  },
  handle: ({ path, query: { year, state, lang, type } }, { holidays }) =>
    holidays.find({ country: path.country, state, year, language: lang, type }),
})
