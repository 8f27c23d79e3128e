import { z } from 'zod'
import { languageTag, wholeNumber } from '../../lib/validation/inputs.ts'

const place = { code: z.string(), name: z.string() }
export const Country = z
  .object({
    ...place,
    states: z.array(z.object({ ...place, regions: z.array(z.object(place)) })),
  })
  .meta({ id: 'HolidayCountry' })
export type Country = z.output<typeof Country>

export const HolidayType = z.enum(['public', 'bank', 'school', 'optional', 'observance'])
export type HolidayType = z.output<typeof HolidayType>

export const CountryPath = z.object({
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'Must be a country code of two letters, such as `DE`.')
    .describe('ISO 3166-1 alpha-2, in any case.'),
})

export const HolidaysQuery = z.object({
  year: wholeNumber(1970, 2100).optional().describe('Defaults to the current year in the country.'),
  state: z
    .string()
    .regex(
      /^[A-Za-z0-9]{1,6}(?:-[A-Za-z0-9]{1,6}){0,2}$/,
      'Must be a state or region code from the list of countries, such as `BY`.',
    )
    .optional()
    .describe('Adds the holidays of a state (`BY`) or of a region of a state (`LA-NO`).'),
  lang: languageTag
    .optional()
    .describe('Language of the names. Defaults to English, also for names without a translation.'),
  type: HolidayType.optional().describe('Only holidays of this type.'),
})

export const Holiday = z
  .object({
    date: z.iso.date().describe('Date in the country.'),
    name: z.string().describe('In the language of `lang`, or in English.'),
    localName: z.string().describe("In the country's language."),
    type: HolidayType,
    start: z.iso.datetime().describe("Start time in the country's time zone."),
    end: z.iso.datetime(),
    states: z
      .array(z.string())
      .nullable()
      .describe('Codes of the states with this holiday. Null for the whole country or state.'),
  })
  .meta({ id: 'Holiday' })
export type Holiday = z.output<typeof Holiday>
