import { Fault } from '../../../lib/errors.ts'
import { Refusal } from './error-message.ts'

/** In the member's words: not found, and not a valid name. */
interface LookUpWords {
  readonly missing: string
  readonly invalid: string
}

/** What a look-up finds. Everything that may fail elsewhere has its words already: see `explain`. @throws {Refusal} */
export async function lookUp<T>(work: Promise<T>, { missing, invalid }: LookUpWords): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code === 'not_found') throw new Refusal(missing)
    if (error.code === 'bad_request' || error.code === 'validation_error') throw new Refusal(invalid)
    throw error
  }
}
