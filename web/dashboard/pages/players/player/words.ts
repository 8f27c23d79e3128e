import type { Words } from '../../../words/language.ts'
import { de } from './words-de.ts'
import { en } from './words-en.ts'

/** Of the page of one player. */
export const PLAYER: Words<typeof en> = { en, de }
