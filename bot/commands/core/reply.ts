import {
  MessageFlags,
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
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
