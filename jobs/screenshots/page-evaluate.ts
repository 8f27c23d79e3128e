import type { CDPSession } from 'playwright-core'

/** The text that calls a function of in-page.ts inside a page. */
export function called<Given>(run: (given: Given) => unknown, given: Given): string {
  return `(${run.toString()})(${JSON.stringify(given)})`
}

/**
 * What an expression comes to inside the page, promises awaited. Playwright's own way would first bring a script of
 * its own into every page, and ask twice.
 */
export async function ask<Answer>(session: CDPSession, expression: string): Promise<Answer> {
  const evaluation = { expression, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails: failure } = await session.send('Runtime.evaluate', evaluation)
  if (failure) throw new Error(`Evaluating the page failed: ${failure.exception?.description ?? failure.text}`)
  return result.value as Answer
}
