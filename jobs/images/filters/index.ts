import type { Effect } from '../declaration.ts'
import { greyscale } from './colour.ts'

/** Every filter there is, in the order of the lists. */
export const filters: readonly Effect[] = [greyscale]
