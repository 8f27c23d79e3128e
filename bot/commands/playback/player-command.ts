import type { Input, OperationName, Output } from '../../player/operations.ts'
import { command, type Command } from '../core/command.ts'
import type { CommandContext } from '../core/command-context.ts'
import type { Invocation } from '../core/invocation.ts'
import type { Options, Values } from '../core/options.ts'
import { say } from '../core/reply.ts'
import { assertAllowed } from '../permissions/rules.ts'
import type { Localised } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

interface PlayerCommandSpec<Name extends OperationName, O extends Options> {
  readonly name: string
  readonly labels: Localised<Label>
  readonly operation: Name
  /** Defaults to none. */
  readonly options?: O
  /** Defaults to what was filled in. */
  readonly input?: (invocation: Invocation<Values<O>>) => Input<Name>
  /** What is said to everyone once it is done. */
  readonly say: (invocation: Invocation<Values<O>>, output: Output<Name>) => string
}

/** A slash command that is one operation on the player. Who may use it, the operation says. */
export function playerCommand<Name extends OperationName, O extends Options = Options>(
  spec: PlayerCommandSpec<Name, O>,
): Command {
  const { name, labels, operation, options = {} as O, input = (invocation) => invocation.options as Input<Name> } = spec
  return command({
    name,
    labels,
    rule: 'dj',
    options,
    run: async (invocation, context) =>
      say(spec.say(invocation, await perform(invocation, context, operation, input(invocation)))),
  })
}

/** Carries out an operation on the player of the guild, and shows on its card what came of it. */
export async function perform<Name extends OperationName>(
  { scope, guildId }: Invocation,
  { music, cards }: CommandContext,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  const output = await music.perform(scope, guildId, name, input)
  cards.refresh(guildId)
  return output
}

/** The same by a button, for those who may use its command. */
export async function control<Name extends OperationName>(
  invocation: Invocation,
  context: CommandContext,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  await assertAllowed('dj', invocation, context)
  return perform(invocation, context, name, input)
}
