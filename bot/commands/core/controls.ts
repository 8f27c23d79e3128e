import {
  ButtonStyle,
  ComponentType,
  type APIButtonComponentWithCustomId,
  type APIComponentInMessageActionRow,
  type APIStringSelectComponent,
} from 'discord.js'
import type { Words } from '../common-text.ts'
import type { Row } from './reply.ts'

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
