import type { FromHelper } from './protocol.ts'

/** Requests a token for a video's ID or a session's visitor data; null where there is none. */
export type RequestToken = (binding: string, isFresh: boolean) => Promise<string | null>

/** Requests tokens from the service, which knows the operator's provider. This process does not. */
export function createTokenRequests(send: (message: FromHelper) => void) {
  const waiting = new Map<number, (token: string | null) => void>()
  let lastId = 0
  const request: RequestToken = (binding, isFresh) => {
    const wants = ++lastId
    const { promise, resolve } = Promise.withResolvers<string | null>()
    waiting.set(wants, resolve)
    send({ wants, binding, isFresh })
    return promise
  }
  return {
    request,
    settle(id: number, token: string | null): void {
      waiting.get(id)?.(token)
      waiting.delete(id)
    },
  }
}
