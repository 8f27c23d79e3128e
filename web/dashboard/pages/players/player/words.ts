import type { PageWords } from '../../../words/language.ts'
import { de } from './words-de.ts'
import { en } from './words-en.ts'

/** Texts of the page of one player. */
export const PLAYER: PageWords<typeof en> = { en, de }
