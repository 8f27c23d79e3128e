import type { Input, OperationName, Output } from '../../player/operations.ts'
import { command, type Command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import type { Options, Values, Label } from '../core/options.ts'
import { replyPrivately, say } from '../core/reply.ts'
import { outputOf } from '../permissions/put-to-vote.ts'
import { getPlayer } from '../permissions/rules.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { Localised } from '../../../lib/texts/languages.ts'

interface PlayerCommandSpec<Name extends OperationName, O extends Options> {
  readonly name: string
  readonly labels: Localised<Label>
  readonly operation: Name
  /** Defaults to none. */
  readonly options?: O
  /** Defaults to what was filled in. null shows the player's state instead. */
  readonly input?: (
    invocation: Invocation<Values<O>>,
    context: CommandContext,
  ) => Input<Name> | null | Promise<Input<Name> | null>
  /** The state, to the member alone. */
  readonly show?: (invocation: Invocation<Values<O>>, player: PlayerInfo) => string
  /** Message to everyone once it is done. */
  readonly say: (invocation: Invocation<Values<O>>, output: Output<Name>) => string
}

/** A slash command that is one operation on the player, and needs the guild's permission for that operation. */
export function playerCommand<Name extends OperationName, O extends Options = Options>(
  spec: PlayerCommandSpec<Name, O>,
): Command {
  const { name, labels, operation, options = {} as O, input = (invocation) => invocation.options as Input<Name> } = spec
  return command({
    name,
    labels,
    rule: 'listener',
    options,
    async run(invocation, context) {
      const wish = await input(invocation, context)
      if (wish === null) return replyPrivately(spec.show?.(invocation, await getPlayer(invocation, context)) ?? '')
      return say(spec.say(invocation, await perform(invocation, context, operation, wish)))
    },
  })
}

/**
 * Carries out an operation on the player of the guild, if the member may, and shows on its card what came of it.
 * @throws {PutToVote} if others have to agree. @throws {PermissionRefused}
 */
export async function perform<Name extends OperationName>(
  invocation: Invocation,
  context: CommandContext,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  const attempt = await context.controls.perform(invocation, name, input)
  const output = outputOf(invocation, context, attempt)
  context.cards.refresh(invocation.guildId)
  return output
}
