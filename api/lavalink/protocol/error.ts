import { STATUS_CODES } from 'node:http'

/** The body of every refusal. */
interface ErrorObject {
  readonly timestamp: number
  readonly status: number
  /** The words of the status. */
  readonly error: string
  readonly message: string
  readonly path: string
  /** The stack, where the request said `?trace=true`. */
  readonly trace?: string
}

type ErrorFacts = Omit<ErrorObject, 'error'>

export function errorObject({ timestamp, status, ...rest }: ErrorFacts): ErrorObject {
  return { timestamp, status, error: STATUS_CODES[status] ?? 'Unknown', ...rest }
}
