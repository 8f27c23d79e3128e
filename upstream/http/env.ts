import { z } from 'zod'
import { trimTrailing } from '../../lib/text.ts'

/** A variable that holds some text. */
export const text = z.string().trim().min(1)

/** A variable that holds a base URL, which code goes on without a slash. */
export const address = (byDefault: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(byDefault)
    .transform((url) => trimTrailing(url, '/'))
