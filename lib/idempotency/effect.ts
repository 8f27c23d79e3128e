import { currentContext, type Effect } from '../request-context.ts'

export function createEffect(requestId: number): Effect {
  return { requestId, state: 'none', answer: () => null }
}

/** Declares that the next save is the effect of the current request. Only the first declaration of a request counts. */
export function declareEffect(answer: () => unknown = () => null): void {
  const effect = currentContext()?.effect
  if (effect?.state !== 'none') return
  effect.answer = answer
  effect.state = 'declared'
}

/** Withdraws the declaration when nothing came of it; that is saved as well. */
export function withdrawEffect(): void {
  const effect = currentContext()?.effect
  if (effect) effect.state = 'none'
}

/** The declared effect, to be saved with the change; null if there is none. */
export function declaredEffect(): Effect | null {
  const effect = currentContext()?.effect
  return effect?.state === 'declared' ? effect : null
}
