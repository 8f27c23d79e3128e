import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { Country, Holiday, HolidayType } from '../../../upstream/holidays/schemas.ts'
import { languageTag, wholeNumber } from '../../schemas/common.ts'

const holidayRoute = { tag: 'Holidays', method: 'GET', class: 'cheap', envelope: envelopes.success } as const

export const listHolidayCountries = route({
  ...holidayRoute,
  id: 'listHolidayCountries',
  url: '/v1/holidays/countries',
  summary: 'List the countries with holidays',
  description: 'Includes states, and the regions of some states.',
  faults: ['service_unavailable'],
  etag: true,
  data: z.array(Country),
  example: { data: [{ code: 'MC', name: 'Monaco', states: [] }] },
  handle: (_request, { holidays }) => holidays.countries(),
})

export const listHolidays = route({
  ...holidayRoute,
  id: 'listHolidays',
  url: '/v1/holidays/{country}',
  summary: 'List the holidays of a country',
  description:
    'In order of their days. A country has the days off as well that it leaves to its states and that two thirds of them ' +
    'keep, such as Thanksgiving in Canada. Days of the lunar and the Islamic calendar are reckoned ahead and may in the end be a ' +
    'day off. Data by date-holidays (CC BY-SA 3.0).',
  faults: ['not_found', 'service_unavailable'],
  path: z.object({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Must be a country code of two letters, such as `DE`.')
      .meta({ description: 'ISO 3166-1 alpha-2, in any case.' }),
  }),
  query: z.object({
    year: wholeNumber(1970, 2100).optional().meta({ description: 'Defaults to the current year in the country.' }),
    state: z
      .string()
      .regex(
        /^[A-Za-z0-9]{1,6}(?:-[A-Za-z0-9]{1,6}){0,2}$/,
        'Must be a state or region code from the list of countries, such as `BY`.',
      )
      .optional()
      .meta({ description: 'Adds the holidays of a state (`BY`) or of a region of a state (`LA-NO`).' }),
    lang: languageTag
      .optional()
      .meta({ description: 'Language of the names. Defaults to English, also for names without a translation.' }),
    type: HolidayType.optional().meta({ description: 'Only holidays of this type.' }),
  }),
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
