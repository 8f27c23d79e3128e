/** The text that calls a function of in-page.ts inside a page. */
export function called<Given>(run: (given: Given) => unknown, given: Given): string {
  return `(${run.toString()})(${JSON.stringify(given)})`
}
