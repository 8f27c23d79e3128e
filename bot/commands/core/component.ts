import type { z } from 'zod'
import type { Call } from './invocation.ts'
import type { Answer } from './reply.ts'
import type { Rule } from '../permissions/rules.ts'
import type { CommandContext } from './command-context.ts'

/** The ids of a kind of button, menu or form. What one is about travels in its id and comes back typed. */
export interface CustomId<A extends readonly unknown[]> {
  readonly name: string
  /** @throws {Error} when the id would be longer than Discord's 100 characters. */
  readonly of: (...about: A) => string
  /** null for what no id of this kind carries: messages may be older than this program. */
  readonly parse: (parts: readonly string[]) => A | null
}

const LONGEST_ID = 100

/** `about` reads what travels as text: numbers as `z.coerce.number()`. */
export function customId<A extends readonly unknown[]>(name: string, about: z.ZodType<A>): CustomId<A> {
  return {
    name,
    of(...values) {
      const id = [name, ...values.map((value) => encodeURIComponent(String(value)))].join(':')
      if (id.length > LONGEST_ID) throw new Error(`The custom id ${id} is too long.`)
      return id
    },
    parse(parts) {
      const parsed = about.safeParse(parts)
      return parsed.success ? parsed.data : null
    },
  }
}

/** What a member did besides: the values chosen in a menu, or what was written into a form, by field. */
export interface Input {
  readonly values: readonly string[]
  readonly fields: ReadonlyMap<string, string>
}

export interface ComponentSpec<A extends readonly unknown[]> {
  readonly id: CustomId<A>
  readonly rule: Rule
  readonly run: (call: Call<A>, tools: CommandContext, input: Input) => Promise<Answer>
}

/** A kind of button, menu or form, its id sealed in. */
export interface Component {
  readonly name: string
  readonly rule: Rule
  /** null when the id is none of this kind. */
  readonly bind: (
    parts: readonly string[],
  ) => ((call: Call, tools: CommandContext, input: Input) => Promise<Answer>) | null
}

export function component<A extends readonly unknown[]>({ id, rule, run }: ComponentSpec<A>): Component {
  return {
    name: id.name,
    rule,
    bind(parts) {
      const about = id.parse(parts)
      return about && ((call, tools, input) => run({ ...call, options: about }, tools, input))
    },
  }
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
