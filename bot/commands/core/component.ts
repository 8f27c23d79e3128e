import type { CustomId } from './custom-id.ts'
import type { Invocation, CommandContext } from './invocation.ts'
import { update, type Content, type Reply } from './reply.ts'
import type { Rule } from '../permissions/rules.ts'

/** What a member did besides: the values chosen in a menu, or what was written into a form, by field. */
export interface ComponentInput {
  readonly values: readonly string[]
  readonly fields: ReadonlyMap<string, string>
}

interface ComponentSpec<A extends readonly unknown[]> {
  readonly id: CustomId<A>
  readonly rule: Rule
  readonly run: (invocation: Invocation<A>, context: CommandContext, input: ComponentInput) => Promise<Reply>
}

/** A kind of button, menu or form, its id sealed in. */
export interface Component {
  readonly name: string
  readonly rule: Rule
  /** null when the id is none of this kind. */
  readonly bind: (
    parts: readonly string[],
  ) => ((invocation: Invocation, context: CommandContext, input: ComponentInput) => Promise<Reply>) | null
}

export function component<A extends readonly unknown[]>({ id, rule, run }: ComponentSpec<A>): Component {
  return {
    name: id.name,
    rule,
    bind(parts) {
      const about = id.parse(parts)
      return about && ((invocation, context, input) => run({ ...invocation, options: about }, context, input))
    },
  }
}

/** The buttons to the other pages of a message. */
export function pageTurner(
  id: CustomId<[number]>,
  show: (invocation: Invocation, context: CommandContext, page: number) => Promise<Content>,
): Component {
  const run: ComponentSpec<[number]>['run'] = async (invocation, context) =>
    update(await show(invocation, context, invocation.options[0]))
  return component({ id, rule: 'anyone', run })
}

/** The kind that a custom id names, and what it carries. */
export function splitId(id: string): { readonly name: string; readonly parts: readonly string[] } {
  const [name = '', ...parts] = id.split(':')
  return { name, parts: parts.map(decode) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
