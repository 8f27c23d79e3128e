import type { PageWords } from '../../words/language.ts'

const en = {
  title: 'Players',
  lead: (now: number, most: number) => `${now} of ${most} players active`,
  restoring: (count: number) => `${count} ${count === 1 ? 'returns' : 'return'} after the restart`,
  updates: 'updates live',
  live: 'live',
  emptyTitle: 'Nothing is playing',
  emptyText: 'Start a player below, with /play in Discord, or with the API.',
  emptyViewer: 'Players appear here when a bot plays.',
  queueEmpty: 'The queue is empty.',
  open: (count: number) => (count > 3 ? `Open player · ${count} in the queue` : 'Open player'),
  query: 'Song name or URL',
  start: 'Start a player',
  startLead: 'The bot joins the voice channel and plays your track.',
  channel: 'Voice channel',
  noChannels: 'No bot is online in a server with a voice channel.',
  play: 'Play',
  refused: 'The action failed.',
  sound: 'Audio diagnostics',
  soundLead: 'Audio of the last ten minutes, with its problems.',
  frames: 'Frames per ten seconds',
  framesLead: (whole: number) =>
    `Ten seconds of audio have ${whole} frames. The bot sends silence while the source has no audio ready.`,
  sent: 'On time',
  late: 'Late',
  nulled: 'Silence',
  happened: 'Events',
  nothingHappened: 'No problems.',
  when: 'When',
  kind: 'Kind',
}

type PlayerWords = typeof en

const de: PlayerWords = {
  title: 'Player',
  lead: (now, most) => `${now} von ${most} Playern aktiv`,
  restoring: (count) => `${count} ${count === 1 ? 'kommt' : 'kommen'} nach dem Neustart zurück`,
  updates: 'wird live aktualisiert',
  live: 'live',
  emptyTitle: 'Es spielt nichts',
  emptyText: 'Starte einen Player: unten, mit /play in Discord oder per API.',
  emptyViewer: 'Player erscheinen hier, wenn ein Bot spielt.',
  queueEmpty: 'Die Warteschlange ist leer.',
  open: (count) => (count > 3 ? `Player öffnen · ${count} in der Warteschlange` : 'Player öffnen'),
  query: 'Songname oder URL',
  start: 'Player starten',
  startLead: 'Der Bot betritt den Sprachkanal und spielt deinen Titel.',
  channel: 'Sprachkanal',
  noChannels: 'Kein Bot ist online auf einem Server mit Sprachkanal.',
  play: 'Abspielen',
  refused: 'Die Aktion ist fehlgeschlagen.',
  sound: 'Audiodiagnose',
  soundLead: 'Ton der letzten zehn Minuten, mit seinen Störungen.',
  frames: 'Frames je zehn Sekunden',
  framesLead: (whole) =>
    `Zehn Sekunden Ton haben ${whole} Frames. Der Bot sendet Stille, solange die Quelle keinen Ton liefert.`,
  sent: 'Pünktlich',
  late: 'Zu spät',
  nulled: 'Stille',
  happened: 'Ereignisse',
  nothingHappened: 'Keine Störungen.',
  when: 'Wann',
  kind: 'Art',
}

export const PLAYERS: PageWords<PlayerWords> = { en, de }
