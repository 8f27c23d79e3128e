import type { Widened } from '../../i18n/languages.ts'
import type { en } from './en.ts'

/** All that members can show themselves doing, in one language. */
export type Acts = Widened<typeof en>
