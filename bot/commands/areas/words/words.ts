import type { Widened } from '../../i18n/languages.ts'
import type { en } from './en.ts'

/** What the look-ups' commands say in one language. */
export type AreaWords = Widened<typeof en>
