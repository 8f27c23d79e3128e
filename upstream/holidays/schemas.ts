import { z } from 'zod'

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

export const Holiday = z
  .object({
    date: z.iso.date().meta({ description: 'Date in the country.' }),
    name: z.string().meta({ description: 'In the language of `lang`, or in English.' }),
    localName: z.string().meta({ description: 'In the language of the country.' }),
    type: HolidayType,
    start: z.iso.datetime().meta({ description: 'Start time in the time zone of the country.' }),
    end: z.iso.datetime(),
    states: z.array(z.string()).nullable().meta({
      description: 'Codes of the states with this holiday. Null for the whole country or state.',
    }),
  })
  .meta({ id: 'Holiday' })
export type Holiday = z.output<typeof Holiday>
