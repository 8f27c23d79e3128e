import { z } from 'zod'
import { bareId, customId } from '../core/custom-id.ts'

export const CARD_ACTIONS = ['previous', 'pause', 'skip', 'stop', 'queue', 'lyrics', 'more'] as const
export type CardAction = (typeof CARD_ACTIONS)[number]

export const CARD_ID = customId('card', z.tuple([z.enum(CARD_ACTIONS)]))

/** The button of a card whose music is over. */
export const AGAIN_ID = bareId('again')

export const MORE_ACTIONS = [
  'quieter',
  'louder',
  'mute',
  'loop',
  'shuffle',
  'autoplay',
  'favourite',
  'privacyCode',
] as const
export type MoreAction = (typeof MORE_ACTIONS)[number]

/** The buttons of the panel behind “More”. */
export const MORE_ID = customId('more', z.tuple([z.enum(MORE_ACTIONS)]))
