import mocha from 'mocha'

const { Spec } = mocha.reporters
const { EVENT_RUN_END, EVENT_TEST_RETRY } = mocha.Runner.constants

/** Mocha's `spec`, and at the end each test that failed once, with its error: it passed or failed at its second attempt. */
// oxlint-disable-next-line import/no-default-export -- mocha takes a reporter by it
export default class SpecWithRetries extends Spec {
  constructor(runner, options) {
    super(runner, options)
    const retried = []
    runner.on(EVENT_TEST_RETRY, (test, error) => retried.push({ title: test.fullTitle(), error }))
    runner.once(EVENT_RUN_END, () => {
      if (retried.length === 0) return
      console.log(`  ${retried.length} attempted twice, to be mended:\n`)
      for (const { title, error } of retried) console.log(`  ~ ${title}\n${firstLines(error)}\n`)
    })
  }
}

function firstLines(error) {
  return String(error?.stack ?? error)
    .split('\n')
    .slice(0, 4)
    .map((line) => `      ${line.trim()}`)
    .join('\n')
}
