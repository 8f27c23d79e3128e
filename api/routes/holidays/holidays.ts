import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { wholeNumber } from '../../schemas/common.ts'

const place = { code: z.string(), name: z.string() }
const Country = z
  .object({
    ...place,
    states: z.array(z.object({ ...place, regions: z.array(z.object(place)) })),
  })
  .meta({ id: 'HolidayCountry' })

const HolidayType = z.enum(['public', 'bank', 'school', 'optional', 'observance'])

const Holiday = z
  .object({
    date: z.iso.date().meta({ description: 'The day in that country.' }),
    name: z.string().meta({ description: 'In `lang`, or in English.' }),
    localName: z.string().meta({ description: "In the country's own language." }),
    type: HolidayType,
    start: z.iso.datetime().meta({ description: 'The instant at which it begins there.' }),
    end: z.iso.datetime(),
  })
  .meta({ id: 'Holiday' })

const holidayRoute = { tag: 'Holidays', method: 'GET', class: 'cheap', envelope: envelopes.success } as const

export const listHolidayCountries = route({
  ...holidayRoute,
  id: 'listHolidayCountries',
  url: '/v1/holidays/countries',
  summary: 'List the countries whose holidays are known',
  description: 'With their states and, rarely, regions of a state.',
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
    'In order of their days. Days of the lunar and the Islamic calendar are reckoned ahead and may in the end be a ' +
    'day off. Data by date-holidays (CC BY-SA 3.0).',
  faults: ['not_found', 'service_unavailable'],
  path: z.object({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Give a country code of two letters, such as `DE`.')
      .meta({ description: 'ISO 3166-1 alpha-2, in any case.' }),
  }),
  query: z.object({
    year: wholeNumber(1970, 2100).optional().meta({ description: 'The current year there unless told.' }),
    state: z
      .string()
      .regex(/^[A-Za-z0-9]{1,6}(?:-[A-Za-z0-9]{1,6}){0,2}$/, 'Give a code of the list of countries, such as `BY`.')
      .optional()
      .meta({ description: 'Holidays of this state as well: `BY`, or `LA-NO` for a region of a state.' }),
    lang: z
      .string()
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Give a language code such as `en` or `pt-BR`.')
      .optional()
      .meta({ description: 'Language of the names; English unless told, and where a name is not known in it.' }),
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
      },
    ],
  },
  handle: ({ path, query: { year, state, lang, type } }, { holidays }) =>
    holidays.find({ country: path.country, state, year, language: lang, type }),
})
