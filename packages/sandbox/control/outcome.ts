import { InteractionResponseType as R, MessageFlags, type APIMessage } from 'discord-api-types/v10'
import type { Interaction } from '../world/world.ts'
import { ControlError } from './route.ts'
import { viewMessage } from './views.ts'

/** Result of an interaction, once the bot has answered and is no longer "thinking". */
export async function outcome(interaction: Interaction, waitMs: number) {
  const deadline = AbortSignal.timeout(waitMs)
  while (!isSettled(interaction)) {
    const answered = once(interaction, deadline)
    if (!(await answered)) break
  }
  if (!interaction.answer) {
    throw new ControlError(504, `The bot didn't respond within ${waitMs} ms (interaction ${interaction.id}).`)
  }
  return describe(interaction)
}

function once({ notices }: Interaction, deadline: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const happened = () => resolve(true)
  const late = () => resolve(false)
  notices.on('answered', happened).on('changed', happened)
  deadline.addEventListener('abort', late)
  if (deadline.aborted) late()
  return promise.finally(() => {
    notices.off('answered', happened).off('changed', happened)
    deadline.removeEventListener('abort', late)
  })
}

function originalOf({ originalId, messages }: Interaction): APIMessage | undefined {
  return originalId === null ? undefined : messages.get(originalId)
}

function isSettled(interaction: Interaction): boolean {
  const { answer, originalId, messages } = interaction
  const original = originalOf(interaction)
  if (answer === null || ((original?.flags ?? 0) & MessageFlags.Loading) !== 0) return false
  // Anyone who takes "thinking" back continues with another message: it may be for one member alone, or for everyone.
  const isTakenBack = originalId !== null && !original
  return !isTakenBack || messages.size > 0
}

const WORDS: Partial<Record<R, string>> = {
  [R.ChannelMessageWithSource]: 'message',
  [R.DeferredChannelMessageWithSource]: 'deferred message',
  [R.DeferredMessageUpdate]: 'deferred update',
  [R.UpdateMessage]: 'update',
  [R.ApplicationCommandAutocompleteResult]: 'choices',
  [R.Modal]: 'modal',
}

function describe(interaction: Interaction) {
  const { id, answer, messages } = interaction
  const original = originalOf(interaction)
  const data = answer?.data as { choices?: unknown[] } | undefined
  return {
    interactionId: id,
    answer: answer ? (WORDS[answer.type] ?? String(answer.type)) : null,
    settled: isSettled(interaction),
    message: original ? viewMessage(original) : null,
    messages: [...messages.values()].map(viewMessage),
    choices: answer?.type === R.ApplicationCommandAutocompleteResult ? (data?.choices ?? []) : null,
    modal: answer?.type === R.Modal ? data : null,
  }
}
