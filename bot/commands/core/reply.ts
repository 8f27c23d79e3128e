import type { Words } from '../common-text.ts'
import {
  ButtonStyle,
  ComponentType,
  type APIButtonComponentWithCustomId,
  type APIComponentInMessageActionRow,
  type APIStringSelectComponent,
  MessageFlags,
  type APIActionRowComponent,
  type APIEmbed,
  type APIModalInteractionResponseCallbackData,
} from 'discord.js'

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>

export interface Content {
  readonly text?: string
  readonly embeds?: readonly APIEmbed[]
  readonly rows?: readonly Row[]
  readonly files?: readonly { readonly name: string; readonly data: Uint8Array }[]
}

/** Rejects when the message is gone, or older than the 15 minutes in which Discord takes it. */
export type EditSent = (content: Content) => Promise<unknown>

/** Called with the id of the message that the answer became; with null if it could not be sent. */
export type OnSent = (messageId: string | null, edit: EditSent) => void

export type Reply =
  /** A new message; a private one is seen by the member alone. */
  | (Content & { readonly as: 'message'; readonly isPrivate: boolean; readonly onSent?: OnSent })
  /** The message that the button belongs to changes. */
  | (Content & { readonly as: 'update' })
  | { readonly as: 'form'; readonly form: APIModalInteractionResponseCallbackData }
  /** A button needs no answer: what it did is seen. */
  | { readonly as: 'nothing' }

/** Replies to everyone in the channel. */
export function say(content: string | Content): Reply {
  return { as: 'message', isPrivate: false, ...toContent(content) }
}

export function replyPrivately(content: string | Content): Reply {
  return { as: 'message', isPrivate: true, ...toContent(content) }
}

export function update(content: Content): Reply {
  return { as: 'update', ...content }
}

export const NOTHING: Reply = { as: 'nothing' }

/** The payload for Discord. It never mentions anyone, even if the title of a track contains mentions. */
export function toMessage({ text = '', embeds = [], rows = [], files = [] }: Content) {
  return {
    content: text,
    embeds: [...embeds],
    components: [...rows],
    files: files.map(({ name, data }) => ({ name, attachment: Buffer.from(data) })),
    allowedMentions: { parse: [] },
  }
}

export const PRIVATE = { flags: MessageFlags.Ephemeral } as const

function toContent(content: string | Content): Content {
  return typeof content === 'string' ? { text: content } : content
}

export function row(...components: APIComponentInMessageActionRow[]): Row {
  return { type: ComponentType.ActionRow, components }
}

export function button(
  custom_id: string,
  emoji: string,
  label: string,
  style: APIButtonComponentWithCustomId['style'] = ButtonStyle.Secondary,
): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style, emoji: { name: emoji }, label, custom_id }
}

/** The buttons that lead to the pages next to one. */
export function pageButtons(
  idOf: (page: number) => string,
  { page, pages }: { readonly page: number; readonly pages: number },
  { queue: { back, forward } }: Words,
): readonly APIButtonComponentWithCustomId[] {
  return [
    ...(page > 1 ? [button(idOf(page - 1), '◀️', back)] : []),
    ...(page < pages ? [button(idOf(page + 1), '▶️', forward)] : []),
  ]
}

export function menuRow(custom_id: string, menu: Omit<APIStringSelectComponent, 'type' | 'custom_id'>): Row {
  return row({ type: ComponentType.StringSelect, custom_id, ...menu })
}

/** A member may not do this, or not now. The words are theirs already. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
