import type {
  AnySelectMenuInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
} from 'discord.js'
import { PRIVATE, toMessage, type OnSent, type Reply } from '../core/reply.ts'
import { withTimeout } from '../../../lib/deadline.ts'

/** Interactions whose member waits for an answer. */
export type RepliableInteraction =
  | ChatInputCommandInteraction
  | MessageContextMenuCommandInteraction
  | Pressed
  | ModalSubmitInteraction

export type Pressed = ButtonInteraction | AnySelectMenuInteraction

type MessageReply = Extract<Reply, { readonly as: 'message' }>

/** Discord gives up after three seconds; what takes longer than this is answered with "thinking" first. */
const SOON_MS = 1500

/** Responds within Discord's deadline, however long `work` takes. `work` never rejects. @throws Discord's error. */
export async function respond(interaction: RepliableInteraction, isPrivate: boolean, work: Promise<Reply>) {
  const soon = await withTimeout(SOON_MS, work, () => null)
  if (soon) return answer(interaction, soon)
  await defer(interaction, isPrivate)
  await answerLate(interaction, isPrivate, await work)
}

async function answer(interaction: RepliableInteraction, given: Reply): Promise<void> {
  switch (given.as) {
    case 'message':
      return sent(interaction, given, async () => reply(interaction, given))
    case 'update':
      if (hasMessage(interaction)) await interaction.update(toMessage(given))
      else await interaction.reply(toMessage(given))
      return
    case 'form':
      if (!interaction.isModalSubmit()) await interaction.showModal(given.form)
      return
    case 'nothing':
      if (hasMessage(interaction)) await interaction.deferUpdate()
  }
}

/** @returns the id of the message, which Discord returns only on request. */
async function reply(interaction: RepliableInteraction, given: MessageReply): Promise<string | null> {
  const message = { ...toMessage(given), ...(given.isPrivate ? PRIVATE : {}) }
  if (!given.onSent) {
    await interaction.reply(message)
    return null
  }
  const { resource } = await interaction.reply({ ...message, withResponse: true })
  return resource?.message?.id ?? null
}

async function defer(interaction: RepliableInteraction, isPrivate: boolean): Promise<void> {
  if (hasMessage(interaction)) await interaction.deferUpdate()
  else await interaction.deferReply(isPrivate ? PRIVATE : {})
}

async function answerLate(interaction: RepliableInteraction, isPrivate: boolean, given: Reply): Promise<void> {
  if (given.as === 'nothing') return
  // A form can only be a first answer; commands that show one have nothing to wait for.
  if (given.as === 'form') throw new Error('A form was made too late to be shown.')
  if (given.as === 'update') {
    await interaction.editReply(toMessage(given))
    return
  }
  await sent(interaction, given, async () => {
    if (!hasMessage(interaction) && given.isPrivate === isPrivate) {
      return (await interaction.editReply(toMessage(given))).id
    }
    // "Thinking" is seen by everyone or by one, and stays so.
    if (!hasMessage(interaction)) await interaction.deleteReply()
    return (await interaction.followUp({ ...toMessage(given), ...(given.isPrivate ? PRIVATE : {}) })).id
  })
}

async function sent(
  { webhook }: RepliableInteraction,
  { onSent }: { readonly onSent?: OnSent },
  send: () => Promise<string | null>,
): Promise<void> {
  let messageId: string | null = null
  try {
    messageId = await send()
  } finally {
    onSent?.(messageId, (content) => webhook.editMessage(messageId ?? '@original', toMessage(content)))
  }
}

/** A button, a menu, or a form that was opened by one. */
function hasMessage(interaction: RepliableInteraction): interaction is Pressed {
  return interaction.isMessageComponent() || (interaction.isModalSubmit() && interaction.isFromMessage())
}
