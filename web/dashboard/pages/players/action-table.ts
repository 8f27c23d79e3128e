import type { OperationName } from '../../../../bot/player/operations.ts'
import { readFilters } from './filters/filter-table.ts'

/** A single-form action of managers on a player. */
export interface PlayerAction {
  readonly operation: OperationName
  /** Left out: it comes from the fields of the form, by their names. */
  readonly input?: object
  /** Reads the form where its fields are named otherwise. */
  readonly read?: (form: URLSearchParams) => object
}

/** Actions by the last part of the form's address. */
export const PLAYER_ACTIONS: Readonly<Record<string, PlayerAction>> = {
  previous: { operation: 'previous' },
  pause: {
    operation: 'patch',
    input: { paused: true },
  },
  resume: {
    operation: 'patch',
    input: { paused: false },
  },
  skip: { operation: 'skip' },
  seek: { operation: 'patch' },
  mute: { operation: 'mute' },
  unmute: { operation: 'unmute' },
  autoplay: {
    operation: 'patch',
    read: (form) => ({ autoplay: form.get('autoplay') === 'on' }),
  },
  close: { operation: 'close' },
  shuffle: { operation: 'shuffle' },
  clear: { operation: 'clear' },
  dedupe: { operation: 'removeDuplicates' },
  undo: { operation: 'undo' },
  'unset-next': { operation: 'clearNextTrack' },
  volume: { operation: 'patch' },
  preset: {
    operation: 'patch',
    read: (form) => ({ filters: form.get('preset') === '' ? {} : { preset: form.get('preset') } }),
  },
  filters: {
    operation: 'patch',
    read: (form) => ({ filters: readFilters(form) }),
  },
  chapter: { operation: 'seekToChapter' },
  crossfade: { operation: 'patch' },
  fade: { operation: 'patch' },
  loop: { operation: 'patch' },
  sleep: { operation: 'sleep' },
}
