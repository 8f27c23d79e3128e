import type { Call, Input } from '../../../api/docs/code-samples.ts'
import { curlOf, targetOf, typed } from '../../../api/docs/curl.js'
import type { ProjectRequest } from '../../http/page-request.ts'

/** The name of an input in the form. */
export function fieldName({ place, name }: Pick<Input, 'place' | 'name'>): string {
  return `${place}.${name}`
}

/** What an input begins with: what was typed, something of the own project, or the example. */
export function valueOf(request: ProjectRequest, input: Input): string {
  const typed = request.query.get(fieldName(input))
  if (typed !== null) return typed.slice(0, 20_000)
  const [guild] = guildsOf(request)
  if (input.name === 'guildId' && guild && input.example !== '') return guild.id
  if (input.name === 'channelId' && guild?.channels[0] && input.example !== '') return guild.channels[0].id
  return input.example
}

/** The guilds of all bots of the project. */
export function guildsOf({ context, project }: ProjectRequest) {
  return context.bots.list(project.id).flatMap(({ id }) => context.fleet.guildsOf(id))
}

/** The body as it begins: the example with what is known of the project. */
export function jsonOf(request: ProjectRequest, call: Call): string {
  const typed = request.query.get('json')
  if (typed !== null && typed !== '') return typed.slice(0, 20_000)
  const example = call.body?.kind === 'json' ? call.body.example : {}
  const own = call.inputs
    .filter(({ place, name }) => place === 'body' && (name === 'guildId' || name === 'channelId') && name in example)
    .map((input) => [input.name, valueOf(request, input)])
  return JSON.stringify({ ...example, ...Object.fromEntries(own) }, null, 2)
}

interface Filled {
  readonly input: Input
  readonly value: string
}

/** The call as it is filled in, as a command line; the script does the same while the user types. */
export function commandLine(request: ProjectRequest, call: Call): string {
  const { method, path, needsKey, isSocket, inputs, body } = call
  const filled = inputs.map((input) => ({ input, value: valueOf(request, input) })).filter(({ value }) => value !== '')
  const pairs = (place: Input['place']) =>
    filled.filter((it) => it.input.place === place).map(({ input, value }) => [input.name, value] as const)
  const accept = request.query.get('accept') ?? ''
  const isAsked = call.answers.slice(1).includes(accept)
  return curlOf({
    method,
    url: request.context.baseUrl() + targetOf(path, Object.fromEntries(pairs('path')), pairs('query')),
    key: needsKey ? '$KEY' : null,
    isSocket,
    ...(isAsked && { accept }),
    ...(body?.kind === 'json' && { json: bodyOf(request, call, filled) }),
    ...(body?.kind === 'file' && { file: 'picture.png' }),
  })
}

function bodyOf(request: ProjectRequest, call: Call, filled: readonly Filled[]): string {
  if (request.query.get('as') === 'json') return jsonOf(request, call)
  const own = filled.filter(({ input }) => input.place === 'body')
  return JSON.stringify(Object.fromEntries(own.map(({ input, value }) => [input.name, typed(input.kind, value)])))
}
