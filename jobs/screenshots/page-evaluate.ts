import type { CDPSession } from 'playwright'
import { JobFailure } from '../queue/job.ts'

/** The text that calls a function of in-page.ts inside a page. */
export function called<Given>(run: (given: Given) => unknown, given: Given): string {
  return `(${run.toString()})(${JSON.stringify(given)})`
}

/**
 * Evaluates an expression inside the page and awaits its promise. Playwright's own way adds a script to every page, which
 * pages can break, and does not distinguish an error that the page threw from a failure on the way.
 * @throws {JobFailure} when it throws: scripts of a page can change all that ours use. {Error} Chromium's reason when the page
 * has gone elsewhere meanwhile.
 */
export async function ask<Answer>(session: CDPSession, expression: string): Promise<Answer> {
  const evaluation = { expression, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails: failure } = await session.send('Runtime.evaluate', evaluation)
  if (failure) throw new JobFailure('bad_request', "The page's scripts change functions that a screenshot needs.")
  return result.value as Answer
}
