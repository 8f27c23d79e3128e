import { STATUS_CODES } from 'node:http'

/** The body of every refusal. */
export interface ErrorObject {
  readonly timestamp: number
  readonly status: number
  /** The words of the status. */
  readonly error: string
  readonly message: string
  readonly path: string
  /** The stack, where the request said `?trace=true`. */
  readonly trace?: string
}

export type ErrorFacts = Omit<ErrorObject, 'error'>

export function errorObject({ timestamp, status, ...rest }: ErrorFacts): ErrorObject {
  return { timestamp, status, error: STATUS_CODES[status] ?? 'Unknown', ...rest }
}
