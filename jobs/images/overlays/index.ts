import type { Effect } from '../declaration.ts'

/** Every overlay there is, in the order of the lists. */
export const overlays: readonly Effect[] = []
