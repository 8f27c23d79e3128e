import type { OperationName } from '../../../../bot/player/operations.ts'
import type { PageWords } from '../../words/language.ts'
import { readFilters } from './filters/filter-table.ts'

/** A single-form action of managers on a player. */
export interface PlayerAction {
  readonly operation: OperationName
  /** Left out: it comes from the fields of the form, by their names. */
  readonly input?: object
  /** Reads the form where its fields are named otherwise. */
  readonly read?: (form: URLSearchParams) => object
  /** The audit log text, shown after the name. */
  readonly done: PageWords<string>
}

/** Actions by the last part of the form's address. */
export const PLAYER_ACTIONS: Readonly<Record<string, PlayerAction>> = {
  previous: {
    operation: 'previous',
    done: { en: 'went back to the previous track', de: 'ist zum vorherigen Titel gesprungen' },
  },
  pause: {
    operation: 'patch',
    input: { paused: true },
    done: { en: 'paused a player', de: 'hat einen Player angehalten' },
  },
  resume: {
    operation: 'patch',
    input: { paused: false },
    done: { en: 'resumed a player', de: 'hat einen Player fortgesetzt' },
  },
  skip: { operation: 'skip', done: { en: 'skipped a track', de: 'hat einen Titel übersprungen' } },
  seek: { operation: 'patch', done: { en: 'seeked in a track', de: 'ist in einem Titel gesprungen' } },
  mute: { operation: 'mute', done: { en: 'muted a player', de: 'hat einen Player stummgeschaltet' } },
  unmute: {
    operation: 'unmute',
    done: { en: 'unmuted a player', de: 'hat die Stummschaltung eines Players aufgehoben' },
  },
  autoplay: {
    operation: 'patch',
    read: (form) => ({ autoplay: form.get('autoplay') === 'on' }),
    done: { en: 'turned autoplay on or off', de: 'hat Autoplay umgeschaltet' },
  },
  close: { operation: 'close', done: { en: 'closed a player', de: 'hat einen Player beendet' } },
  shuffle: { operation: 'shuffle', done: { en: 'shuffled a queue', de: 'hat eine Warteschlange gemischt' } },
  clear: { operation: 'clear', done: { en: 'cleared a queue', de: 'hat eine Warteschlange geleert' } },
  dedupe: {
    operation: 'removeDuplicates',
    done: { en: 'removed duplicates from a queue', de: 'hat Doppelte aus einer Warteschlange entfernt' },
  },
  undo: {
    operation: 'undo',
    done: { en: 'undid a queue change', de: 'hat eine Änderung der Warteschlange rückgängig gemacht' },
  },
  'unset-next': {
    operation: 'clearNextTrack',
    done: { en: 'removed the next track', de: 'hat den nächsten Titel entfernt' },
  },
  volume: { operation: 'patch', done: { en: 'changed the volume', de: 'hat die Lautstärke geändert' } },
  preset: {
    operation: 'patch',
    read: (form) => ({ filters: form.get('preset') === '' ? {} : { preset: form.get('preset') } }),
    done: { en: 'chose a filter preset', de: 'hat eine Filter-Voreinstellung gewählt' },
  },
  filters: {
    operation: 'patch',
    read: (form) => ({ filters: readFilters(form) }),
    done: { en: 'changed the filters', de: 'hat die Filter geändert' },
  },
  chapter: { operation: 'seekToChapter', done: { en: 'went to a chapter', de: 'ist zu einem Kapitel gesprungen' } },
  crossfade: { operation: 'patch', done: { en: 'changed the crossfade', de: 'hat das Überblenden geändert' } },
  fade: { operation: 'patch', done: { en: 'changed the fades', de: 'hat das Ein- und Ausblenden geändert' } },
  loop: { operation: 'patch', done: { en: 'changed the repeat mode', de: 'hat den Wiederholmodus geändert' } },
  sleep: { operation: 'sleep', done: { en: 'set a sleep timer', de: 'hat einen Einschlaf-Timer gestellt' } },
}
