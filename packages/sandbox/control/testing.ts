import { z } from 'zod'
import { FaultLimit } from '../faults/faults.ts'
import { FaultRule } from '../faults/schema.ts'
import { RecordSearch, searchRecord } from '../record/search.ts'
import { SnapshotError, START } from '../snapshots/snapshots.ts'
import { exportWorld } from '../worlds/export.ts'
import { parseWorld, WorldError } from '../worlds/read.ts'
import { del, get, post, put, ControlError, type ControlCall, type ControlRoute } from './route.ts'

const YEAR_9999_MS = 253_402_300_799_999

const atMs = z
  .union([z.int().min(0).max(YEAR_9999_MS), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))])
  .describe('milliseconds since 1970, or an ISO 8601 time')

const RECORD: readonly ControlRoute[] = [
  post('/record/search', {
    summary:
      'Search what bots sent and got: REST requests, gateway payloads, voice. With `waitMs`, wait until `count` entries fit.',
    body: RecordSearch,
    handle: ({ recorder, body }) => searchRecord(recorder, body),
  }),
  del('/record', {
    summary: 'Empty the record.',
    handle: ({ recorder }) => recorder.clear(),
  }),
]

const FAULTS: readonly ControlRoute[] = [
  get('/faults', {
    summary: 'List the fault rules, with how often each matched and applied.',
    handle: ({ faults }) => faults.list(),
  }),
  post('/faults', {
    summary:
      'Add a fault rule. It says what goes wrong, for which requests, gateway payloads or guilds, when and how often.',
    body: FaultRule,
    handle({ faults, body }) {
      try {
        return faults.add(body)
      } catch (error) {
        if (error instanceof FaultLimit) throw new ControlError(409, error.message)
        throw error
      }
    },
  }),
  del('/faults', {
    summary: 'Remove all fault rules.',
    handle: ({ faults }) => faults.clear(),
  }),
  del('/faults/{faultId}', {
    summary: 'Remove a fault rule.',
    handle({ faults, params }) {
      if (!faults.remove(params['faultId'] ?? '')) throw new ControlError(404, 'There is no fault with this ID.')
    },
  }),
]

const CLOCK: readonly ControlRoute[] = [
  get('/clock', { summary: 'Get the time of the sandbox.', handle: ({ world }) => world.clock.view() }),
  post('/clock/freeze', {
    summary: 'Stop the clock now, or at a time.',
    body: z.strictObject({ at: atMs.optional() }),
    handle({ world: { clock }, body }) {
      clock.freeze(body.at)
      return clock.view()
    },
  }),
  post('/clock/run', {
    summary: 'Let the clock run from where it stands.',
    handle({ world: { clock } }) {
      clock.run()
      return clock.view()
    },
  }),
  post('/clock/set', {
    summary: 'Set the clock. It stays frozen or running.',
    body: z.strictObject({ at: atMs }),
    handle({ world: { clock }, body }) {
      clock.set(body.at)
      return clock.view()
    },
  }),
  post('/clock/advance', {
    summary: 'Advance the clock. Everything due by then happens now.',
    body: z.strictObject({ ms: z.int().min(0).max(YEAR_9999_MS) }),
    handle({ world: { clock }, body }) {
      clock.advance(body.ms)
      return clock.view()
    },
  }),
]

const Restoring = z.strictObject({
  clients: z
    .enum(['resync', 'disconnect'])
    .default('resync')
    .describe('what connected bots get: events as after an outage of their guilds, or close code 4009'),
})

function snapshotted<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof SnapshotError) throw new ControlError(409, error.message)
    throw error
  }
}

const nameOf = ({ params }: Pick<ControlCall<unknown>, 'params'>) => params['name'] ?? ''

const SNAPSHOTS: readonly ControlRoute[] = [
  get('/snapshots', { summary: 'List the snapshots.', handle: ({ snapshots }) => snapshots.list() }),
  put('/snapshots/{name}', {
    summary: 'Take a snapshot of the world, its faults and its clock, or replace the one of this name.',
    handle: (call) => snapshotted(() => call.snapshots.take(nameOf(call))),
  }),
  post('/snapshots/{name}/restore', {
    summary: 'Restore a snapshot, and empty the record.',
    body: Restoring,
    handle: (call) => snapshotted(() => call.snapshots.restore(nameOf(call), call.body.clients)),
  }),
  del('/snapshots/{name}', {
    summary: 'Delete a snapshot.',
    handle: (call) => snapshotted(() => call.snapshots.remove(nameOf(call))),
  }),
  get('/world', {
    summary:
      'Export the world as a file. A sandbox that starts with it is a copy of this one, IDs and tokens included.',
    handle: ({ world, crowd }) => exportWorld(world, ({ guildId, userId }) => crowd.has(guildId, userId)),
  }),
  put('/world', {
    summary: 'Replace the world with another one, which reset then restores.',
    body: z.strictObject({ world: z.record(z.string(), z.unknown()), clients: Restoring.shape.clients }),
    async handle({ snapshots, body }) {
      try {
        await snapshots.load(parseWorld(body.world), body.clients)
      } catch (error) {
        if (error instanceof WorldError) throw new ControlError(422, error.message)
        throw error
      }
    },
  }),
  post('/reset', {
    summary: 'Restore the initial world, and empty the record.',
    body: Restoring,
    handle: ({ snapshots, body }) => snapshotted(() => snapshots.restore(START, body.clients)),
  }),
]

/** Routes for tests: assertions on what bots did, faults, time, and a clean start. */
export const TESTING_ROUTES: readonly ControlRoute[] = [...RECORD, ...FAULTS, ...CLOCK, ...SNAPSHOTS]
