import { expect } from 'chai'
import { z } from 'zod'
import { routes } from '../../../api/routes/index.ts'
import type { Fault } from '../../../lib/errors.ts'
import { issueMessage } from '../../../lib/validation/issue-message.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { guildId } from '../../support/fake-music.ts'

type Route = (typeof routes)[number]

const LONG = 'x'.repeat(5000)
/** One of each kind, wrong for most fields in one way or another. */
const BAD: readonly unknown[] = [
  null,
  5,
  -1,
  1.5,
  1e300,
  'x',
  '',
  '5',
  'true',
  LONG,
  true,
  [],
  [1],
  ['a'],
  [null],
  {},
  { a: 1 },
  Array.from({ length: 5000 }, () => 'a'),
]
const BAD_TEXTS = ['', 'x', '-1', '1.5', '99999999999', 'ä ö', LONG]

/** The value with each part of it replaced by each bad one, with each field left out, and with one too many. */
function* spoiled(value: unknown): Generator {
  yield* BAD
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const bad of spoiled(item)) yield value.with(at, bad)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      for (const bad of spoiled(inner)) yield { ...value, [name]: bad }
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
    }
    yield { ...value, tooMany: 1 }
  }
}

const values = (given: object) => ({ values: { ...given } as Record<string, string>, faulty: null })

function* badInputs({ example, body, query, path }: Route): Generator<Parameters<Route['parse']>[0]> {
  const good = { path: values(example.path ?? {}), query: values(example.query ?? {}), body: example.body ?? {} }
  if (body) {
    const everything = { ...Object.fromEntries(Object.keys(body.shape).map((name) => [name, null])), ...good.body }
    for (const bad of spoiled(everything)) yield { ...good, body: bad }
  }
  for (const text of BAD_TEXTS) {
    for (const name of Object.keys(query?.shape ?? {}))
      yield { ...good, query: values({ ...example.query, [name]: text }) }
    for (const name of Object.keys(path?.shape ?? {}))
      yield { ...good, path: values({ ...example.path, [name]: text }) }
  }
}

/** Every message that the inputs of a route can draw from it, with a field where it was. */
function messagesOf(route: Route): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const inputs of badInputs(route)) {
    try {
      route.parse(inputs)
    } catch (thrown) {
      for (const { field, message } of (thrown as Fault).details ?? []) found.set(message, `${route.id} ${field}`)
    }
  }
  return found
}

describe('the messages of rejected inputs', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  const refusal = async (method: string, path: string, sent: unknown) => {
    const { status, body } = await api.call(method, `/v1/music/guilds/${guildId}${path}`, { body: sent })
    expect(status).to.equal(422)
    return body.error.details.map(({ field, message }: any) => `${field}: ${message}`)
  }

  it('are sentences of ours for every route and every kind of bad input', () => {
    const all = routes.flatMap((route) => Array.from(messagesOf(route)))
    expect(all.length).to.be.above(300)
    for (const [message, where] of all) {
      expect(message, where).to.match(/^\p{Lu}.*[.?]$/su)
      expect(message, where).not.to.match(
        /Invalid|expected|received|Too (?:big|small)|Unrecognized|undefined|NaN|>=|<=/,
      )
      expect(message.length, where).to.be.below(1000)
    }
  })

  it('say what the value must be, in the terms of JSON', async () => {
    expect(await refusal('POST', '/play', '{"query": "lanterns", "channelId": 123456789012345678}')).to.deep.equal([
      'body.channelId: Must be a string: quote it, since long numbers lose digits.',
    ])
    expect(await refusal('POST', '/play', { query: 'lanterns', when: 'nex' })).to.deep.equal([
      'body.when: Must be one of last, next, now. Did you mean next?',
    ])
    expect(
      await refusal('PATCH', '/player', { volume: '80', paused: 'true', crossfadeMs: '500', fadeMs: 1.5, loop: null }),
    ).to.deep.equal([
      'body.paused: Must be true or false, without quotes.',
      'body.volume: Must be a number, without quotes.',
      'body.loop: Must be one of off, track, queue.',
      'body.crossfadeMs: Must be a whole number, without quotes.',
      'body.fadeMs: Must be a whole number.',
    ])
    expect(await refusal('PATCH', '/player', { volume: 300, sponsorBlock: 'intro' })).to.deep.equal([
      'body.volume: Must be at most 200.',
      'body.sponsorBlock: Must be an array, not a string.',
    ])
    expect(await refusal('POST', '/mute', [])).to.deep.equal(['body: Must be an object, not an array.'])
  })

  it('name the form for every kind of problem that a schema can have', () => {
    const cases: readonly (readonly [z.ZodType, unknown, string])[] = [
      [z.url(), 'x', 'Must be a URL, such as https://example.com/.'],
      [z.uuid(), 'x', 'Must be a UUID.'],
      [z.string().startsWith('svc.'), 'x', 'Must start with `svc.`.'],
      [z.string().regex(/^a$/), 'x', 'Has the wrong format.'],
      [z.string().min(1), '', 'Must not be empty.'],
      [z.string().max(8), '123456789', 'Must have at most 8 characters.'],
      [z.array(z.int()).min(2), [1], 'Must have at least 2 items.'],
      [z.number().gt(3), 3, 'Must be more than 3.'],
      [z.number().multipleOf(5), 3, 'Must be a multiple of 5.'],
      [z.literal('on'), 'off', 'Must be on.'],
      [z.union([z.string(), z.array(z.string())]), 5, 'Must be a string, or an array.'],
      [z.record(z.string().max(1), z.int()), { ab: 1 }, "Contains a field name that isn't allowed."],
      [z.strictObject({}), { a: 1 }, 'Unknown field: a.'],
      [z.string().refine(() => false), 'x', 'Not valid.'],
      [z.date(), 'x', 'Must be of the type date, not a string.'],
    ]
    for (const [schema, input, message] of cases) {
      expect(schema.safeParse(input, { error: issueMessage }).error?.issues[0]?.message).to.equal(message)
    }
  })
})
