import { z } from 'zod'
import { Draft } from '../world/message/drafts.ts'
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
import { noContent, ok, param, type Answer, type OpenCall, type Route } from './route.ts'

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

const interactionOf = (call: OpenCall): Interaction =>
  getInteraction(call.world, param(call, 'webhookId'), param(call, 'webhookToken'))

/** An interaction's webhook always answers with the message; `wait` is for other webhooks. */
export function sayAgain(call: OpenCall): Answer {
  return ok(followUp(call.world, interactionOf(call), parseBody(Draft, call.body), call.files))
}

const find = (call: OpenCall) => messageOf(interactionOf(call), param(call, 'messageId'))

export const showAnswer = (call: OpenCall): Answer => ok(find(call))

export function changeAnswer(call: OpenCall): Answer {
  const draft = parseBody(Draft, call.body)
  if (draft.tts) throw invalidForm('tts', 'BASE_TYPE_INVALID', 'An edit is never spoken.')
  return ok(editAnswer(call.world, interactionOf(call), find(call), { draft, files: call.files }))
}

export function removeAnswer(call: OpenCall): Answer {
  deleteAnswer(call.world, interactionOf(call), find(call))
  return noContent
}

/** A bot's first answer to what someone does with it. The secret is in the URL. */
export const INTERACTION_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/interactions/{interactionId}/{interactionToken}/callback', isApart: true, open: answer },
]
