import type {
  AnySelectMenuInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
} from 'discord.js'
import { PRIVATE, toMessage, type Answer } from './reply.ts'

/** What a member waits for an answer to. */
export type Asking =
  | ChatInputCommandInteraction
  | MessageContextMenuCommandInteraction
  | Pressed
  | ModalSubmitInteraction

export type Pressed = ButtonInteraction | AnySelectMenuInteraction

/** Discord gives up after three seconds; what takes longer than this is answered with "thinking" first. */
const SOON_MS = 1500

/** Answers in time, whatever the work takes. `work` never rejects. @throws what Discord says to the answer. */
export async function respond(asking: Asking, isPrivate: boolean, work: Promise<Answer>): Promise<void> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), SOON_MS)
  const soon = await Promise.race([work, late.promise])
  clearTimeout(timer)
  if (soon) return answer(asking, soon)
  await defer(asking, isPrivate)
  await answerLate(asking, isPrivate, await work)
}

async function answer(asking: Asking, given: Answer): Promise<void> {
  switch (given.as) {
    case 'message':
      await asking.reply({ ...toMessage(given), ...(given.isPrivate ? PRIVATE : {}) })
      return
    case 'update':
      if (hasMessage(asking)) await asking.update(toMessage(given))
      else await asking.reply(toMessage(given))
      return
    case 'form':
      if (!asking.isModalSubmit()) await asking.showModal(given.form)
      return
    case 'nothing':
      if (hasMessage(asking)) await asking.deferUpdate()
  }
}

async function defer(asking: Asking, isPrivate: boolean): Promise<void> {
  if (hasMessage(asking)) await asking.deferUpdate()
  else await asking.deferReply(isPrivate ? PRIVATE : {})
}

async function answerLate(asking: Asking, isPrivate: boolean, given: Answer): Promise<void> {
  if (given.as === 'nothing') return
  // A form can only be a first answer; commands that show one have nothing to wait for.
  if (given.as === 'form') throw new Error('A form was made too late to be shown.')
  if (given.as === 'update' || (!hasMessage(asking) && given.isPrivate === isPrivate)) {
    await asking.editReply(toMessage(given))
    return
  }
  // "Thinking" is seen by everyone or by one, and stays so.
  if (!hasMessage(asking)) await asking.deleteReply()
  await asking.followUp({ ...toMessage(given), ...(given.isPrivate ? PRIVATE : {}) })
}

/** A button, a menu, or a form that was opened by one. */
function hasMessage(asking: Asking): asking is Pressed {
  return asking.isMessageComponent() || (asking.isModalSubmit() && asking.isFromMessage())
}
