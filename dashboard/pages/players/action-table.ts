import type { PlayerInfo } from '../../../bot/player/player-info.ts'
import type { OperationName } from '../../../bot/player/operations.ts'
import type { Words } from '../../words/language.ts'

/** What managers can do to a player by one form. */
export interface PlayerAction {
  readonly operation: OperationName
  /** Left out: it comes from the fields of the form. */
  readonly input?: object
  /** Left out: a control of its own on the card. */
  readonly button?: ActionButton
  /** In the audit log, behind a name. */
  readonly done: Words<string>
}

interface ActionButton {
  readonly place: 'player' | 'queue'
  readonly label: Words<string>
  readonly isOffered: (player: PlayerInfo) => boolean
}

/** By the last part of the form's address; buttons come in this order. */
export const PLAYER_ACTIONS: Readonly<Record<string, PlayerAction>> = {
  previous: {
    operation: 'previous',
    button: { place: 'player', label: { en: 'Previous', de: 'Zurück' }, isOffered: isPlaying },
    done: { en: 'went back a track', de: 'ist einen Titel zurückgegangen' },
  },
  pause: {
    operation: 'patch',
    input: { paused: true },
    button: {
      place: 'player',
      label: { en: 'Pause', de: 'Pause' },
      isOffered: (player) => isPlaying(player) && !player.paused,
    },
    done: { en: 'paused a player', de: 'hat einen Player angehalten' },
  },
  resume: {
    operation: 'patch',
    input: { paused: false },
    button: {
      place: 'player',
      label: { en: 'Resume', de: 'Weiter' },
      isOffered: (player) => isPlaying(player) && player.paused,
    },
    done: { en: 'resumed a player', de: 'hat einen Player fortgesetzt' },
  },
  skip: {
    operation: 'skip',
    button: { place: 'player', label: { en: 'Skip', de: 'Überspringen' }, isOffered: isPlaying },
    done: { en: 'skipped a track', de: 'hat einen Titel übersprungen' },
  },
  mute: {
    operation: 'mute',
    button: { place: 'player', label: { en: 'Mute', de: 'Stumm' }, isOffered: ({ muted }) => !muted },
    done: { en: 'muted a player', de: 'hat einen Player stummgeschaltet' },
  },
  unmute: {
    operation: 'unmute',
    button: { place: 'player', label: { en: 'Unmute', de: 'Ton an' }, isOffered: ({ muted }) => muted },
    done: { en: 'unmuted a player', de: 'hat einem Player den Ton gegeben' },
  },
  'autoplay-on': {
    operation: 'patch',
    input: { autoplay: true },
    button: { place: 'queue', label: { en: 'Autoplay on', de: 'Autoplay an' }, isOffered: ({ autoplay }) => !autoplay },
    done: { en: 'set autoplay on', de: 'hat Autoplay eingeschaltet' },
  },
  'autoplay-off': {
    operation: 'patch',
    input: { autoplay: false },
    button: {
      place: 'queue',
      label: { en: 'Autoplay off', de: 'Autoplay aus' },
      isOffered: ({ autoplay }) => autoplay,
    },
    done: { en: 'set autoplay off', de: 'hat Autoplay ausgeschaltet' },
  },
  close: {
    operation: 'close',
    button: { place: 'player', label: { en: 'Leave the channel', de: 'Kanal verlassen' }, isOffered: () => true },
    done: { en: 'closed a player', de: 'hat einen Player beendet' },
  },
  shuffle: {
    operation: 'shuffle',
    button: { place: 'queue', label: { en: 'Shuffle', de: 'Mischen' }, isOffered: ({ queue }) => queue.length > 1 },
    done: { en: 'shuffled a queue', de: 'hat eine Warteschlange gemischt' },
  },
  clear: {
    operation: 'clear',
    button: { place: 'queue', label: { en: 'Clear', de: 'Leeren' }, isOffered: ({ queue }) => queue.length > 0 },
    done: { en: 'cleared a queue', de: 'hat eine Warteschlange geleert' },
  },
  dedupe: {
    operation: 'removeDuplicates',
    button: {
      place: 'queue',
      label: { en: 'Remove duplicates', de: 'Doppelte entfernen' },
      isOffered: ({ current, queue }) =>
        new Set([current, ...queue].map((track) => track?.encoded)).size <= queue.length,
    },
    done: { en: 'removed duplicates from a queue', de: 'hat Doppelte aus einer Warteschlange entfernt' },
  },
  volume: { operation: 'patch', done: { en: 'changed the volume', de: 'hat die Lautstärke geändert' } },
  chapter: { operation: 'seekToChapter', done: { en: 'went to a chapter', de: 'ist zu einem Kapitel gesprungen' } },
  crossfade: { operation: 'patch', done: { en: 'changed the crossfade', de: 'hat das Überblenden geändert' } },
  loop: { operation: 'patch', done: { en: 'changed the repeating', de: 'hat das Wiederholen geändert' } },
  sleep: { operation: 'sleep', done: { en: 'set a sleep timer', de: 'hat einen Einschlaf-Timer gestellt' } },
  'skip-to': { operation: 'skipTo', done: { en: 'skipped to a track', de: 'ist zu einem Titel gesprungen' } },
  remove: {
    operation: 'remove',
    done: { en: 'took a track out of a queue', de: 'hat einen Titel aus einer Warteschlange genommen' },
  },
  move: {
    operation: 'move',
    done: { en: 'moved a track in a queue', de: 'hat einen Titel in einer Warteschlange verschoben' },
  },
}

function isPlaying({ current }: PlayerInfo): boolean {
  return current !== null
}
