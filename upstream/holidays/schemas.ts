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
    date: z.iso.date().meta({ description: 'The day in that country.' }),
    name: z.string().meta({ description: 'In `lang`, or in English.' }),
    localName: z.string().meta({ description: "In the country's own language." }),
    type: HolidayType,
    start: z.iso.datetime().meta({ description: 'The instant at which it begins there.' }),
    end: z.iso.datetime(),
    states: z.array(z.string()).nullable().meta({
      description: 'Codes of the states that keep a day which the country leaves to them; null for all of the place.',
    }),
  })
  .meta({ id: 'Holiday' })
export type Holiday = z.output<typeof Holiday>
