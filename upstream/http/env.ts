import { z } from 'zod'
import { trimTrailing } from '../../lib/text.ts'

/** A variable that holds some text. */
export const text = z.string().trim().min(1)

/** A variable that may hold a base URL. */
export const optionalAddress = z
  .url({ protocol: /^https?$/ })
  .transform((url) => trimTrailing(url, '/'))
  .optional()

/** A variable that holds a base URL, to which code appends paths that start with a slash. */
export const address = (byDefault: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(byDefault)
    .transform((url) => trimTrailing(url, '/'))
