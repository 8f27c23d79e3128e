import { ErrorBody, RoutePlanner } from '../../server/schemas.ts'
import type { Answer } from '../../server/rest.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, source } from '../../suite/docs.ts'
import { equal, oneOf, shaped, skip } from '../../suite/expect.ts'
import type { Stage } from '../../suite/stage.ts'

/** 204 where there is a planner; a refusal with the body of an error where there is none. */
async function freed(stage: Stage, answer: Answer): Promise<void> {
  if (answer.status === 204) return
  const { status } = await stage.rest('GET', '/v4/routeplanner/status')
  equal('A server with a planner answers 204.', [status, answer.status >= 400], [204, true])
  shaped('The body is an error.', ErrorBody, answer.body)
}

export const ROUTE_PLANNER_CHECKS: readonly Check[] = [
  must('route-planner.status', rest('get-routeplanner-status'), {
    title: 'The status is 204 without a planner, else its class and details.',
    async run(stage) {
      const answer = await stage.rest('GET', '/v4/routeplanner/status')
      oneOf('The status', answer.status, [200, 204])
      if (answer.status === 200) shaped('The planner has the documented shape.', RoutePlanner, answer.body)
      else equal('204 has no body.', answer.text, '')
    },
  }),
  must('route-planner.free-address', rest('unmark-a-failed-address'), {
    title: 'An address is freed with 204 where there is a planner.',
    async run(stage) {
      await freed(stage, await stage.rest('POST', '/v4/routeplanner/free/address', { body: { address: '127.0.0.1' } }))
    },
  }),
  must('route-planner.free-all', rest('unmark-all-failed-address'), {
    title: 'All addresses are freed with 204 where there is a planner.',
    run: async (stage) => freed(stage, await stage.rest('POST', '/v4/routeplanner/free/all')),
  }),
  should('route-planner.disabled', source('io/RoutePlannerRestHandler.kt'), {
    title: 'Without a planner nothing can be freed: 500, as Lavalink answers.',
    async run(stage) {
      if ((await stage.rest('GET', '/v4/routeplanner/status')).status === 200) return skip('The server has a planner.')
      equal('free/all', (await stage.rest('POST', '/v4/routeplanner/free/all')).status, 500)
    },
  }),
]
