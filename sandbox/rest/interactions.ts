import { z } from 'zod'
import { Draft } from '../world/drafts.ts'
import { invalidForm } from '../world/errors.ts'
import {
  answerInteraction,
  deleteAnswer,
  editAnswer,
  followUp,
  getInteraction,
  messageOf,
} from '../world/interactions.ts'
import type { Interaction } from '../world/world.ts'
import { parseBody } from './form.ts'
import { noContent, ok, param, type OpenCall, type Route } from './route.ts'

const Callback = z.looseObject({ type: z.number().int(), data: z.looseObject({}).optional() })
const Modal = z.looseObject({
  custom_id: z.string().min(1).max(100),
  title: z.string().min(1).max(45),
  components: z
    .array(z.looseObject({ type: z.number().int() }))
    .min(1)
    .max(40),
})
const Choices = z.looseObject({
  choices: z
    .array(z.looseObject({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) }))
    .max(25),
})

/** Answers by their type, as far as their data is not a message. */
const DATA: Readonly<Record<number, z.ZodType>> = { 8: Choices, 9: Modal }

function answer(call: OpenCall) {
  const { type, data } = parseBody(Callback, call.body)
  const schema = DATA[type]
  if (schema) parseNested(schema, data)
  const draft = schema ? {} : parseNested(Draft, data)
  const result = answerInteraction(call.world, {
    id: param(call, 'interactionId'),
    token: param(call, 'interactionToken'),
    response: { type, data },
    draft,
    files: call.files,
  })
  return call.query.get('with_response') === 'true' ? ok(result) : noContent
}

function parseNested<T>(schema: z.ZodType<T>, data: unknown): T {
  return parseBody(z.object({ data: schema }), { data: data ?? {} }).data
}

function interactionOf(call: OpenCall): Interaction {
  return getInteraction(call.world, param(call, 'webhookId'), param(call, 'webhookToken'))
}

function say(call: OpenCall) {
  const message = followUp(call.world, interactionOf(call), parseBody(Draft, call.body), call.files)
  // An interaction's webhook always answers with the message; `wait` is for other webhooks.
  return ok(message)
}

const MESSAGE = '/webhooks/{webhookId}/{webhookToken}/messages/{messageId}'
const find = (call: OpenCall) => messageOf(interactionOf(call), param(call, 'messageId'))

/** A bot's answers to what people do with it. The secret is in the URL. */
export const INTERACTION_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/interactions/{interactionId}/{interactionToken}/callback', open: answer },
  { method: 'POST', path: '/webhooks/{webhookId}/{webhookToken}', limit: { requests: 5, perMs: 2000 }, open: say },
  { method: 'GET', path: MESSAGE, open: (call) => ok(find(call)) },
  {
    method: 'PATCH',
    path: MESSAGE,
    limit: { requests: 5, perMs: 2000 },
    open(call) {
      const draft = parseBody(Draft, call.body)
      if (draft.tts) throw invalidForm('tts', 'BASE_TYPE_INVALID', 'An edit is never spoken.')
      return ok(editAnswer(call.world, interactionOf(call), find(call), { draft, files: call.files }))
    },
  },
  {
    method: 'DELETE',
    path: MESSAGE,
    open(call) {
      deleteAnswer(call.world, interactionOf(call), find(call))
      return noContent
    },
  },
]
