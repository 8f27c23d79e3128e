import { currentContext, type Effect } from '../request-context.ts'

export function createEffect(requestId: number): Effect {
  return { requestId, state: 'none', answer: () => null }
}

/** Says that what is saved next is what the current request asked for. Only the first word of a request counts. */
export function declareEffect(answer: () => unknown = () => null): void {
  const effect = currentContext()?.effect
  if (effect?.state !== 'none') return
  effect.answer = answer
  effect.state = 'declared'
}

/** What was declared came to nothing, which is saved as well. */
export function withdrawEffect(): void {
  const effect = currentContext()?.effect
  if (effect) effect.state = 'none'
}

/** The declared effect, to be written down with the change; null where there is none. */
export function declaredEffect(): Effect | null {
  const effect = currentContext()?.effect
  return effect?.state === 'declared' ? effect : null
}
