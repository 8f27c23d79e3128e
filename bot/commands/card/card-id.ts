import { z } from 'zod'
import { customId } from '../core/custom-id.ts'

export const CARD_ACTIONS = [
  'previous',
  'pause',
  'skip',
  'loop',
  'shuffle',
  'quieter',
  'louder',
  'mute',
  'queue',
  'lyrics',
] as const
export type CardAction = (typeof CARD_ACTIONS)[number]

/** The buttons of the now-playing card. */
export const CARD_ID = customId('card', z.tuple([z.enum(CARD_ACTIONS)]))
