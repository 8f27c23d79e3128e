import type { Words } from '../../words/language.ts'

const en = {
  title: 'Players',
  lead: (now: number, most: number) => `${now} of ${most} players active · updates live`,
  live: 'live',
  emptyTitle: 'Nothing plays',
  emptyText: 'Start a player below, by a slash command in Discord, or with a key.',
  emptyViewer: 'A player appears here as soon as one of the bots plays something.',
  queueEmpty: 'The queue is empty.',
  open: (count: number) => (count > 3 ? `Open player · ${count} in the queue` : 'Open player'),
  query: 'Song name or URL',
  start: 'Start a player',
  startLead: 'The bot joins a voice channel and plays what you ask for.',
  channel: 'Voice channel',
  noChannels: 'No bot of this project is online and in a server with a voice channel.',
  play: 'Play',
  refused: 'That did not work.',
  sound: 'Audio diagnostics',
  soundLead: 'The last ten minutes of its sound, and what disturbed it.',
  frames: 'Frames in ten seconds',
  framesLead: (whole: number) =>
    `${whole} are a whole ten seconds of sound. Silence is sent where the source had nothing ready.`,
  sent: 'In time',
  late: 'Late',
  nulled: 'Silence',
  happened: 'What happened',
  nothingHappened: 'Nothing out of the ordinary.',
  when: 'When',
  kind: 'Kind',
}

export type PlayerWords = typeof en

const de: PlayerWords = {
  title: 'Player',
  lead: (now, most) => `${now} von ${most} Playern aktiv · wird live aktualisiert`,
  live: 'live',
  emptyTitle: 'Es spielt nichts',
  emptyText: 'Starte unten einen Player, mit einem Slash-Befehl in Discord oder mit einem Schlüssel.',
  emptyViewer: 'Sobald einer der Bots etwas spielt, erscheint hier ein Player.',
  queueEmpty: 'Die Warteschlange ist leer.',
  open: (count) => (count > 3 ? `Player öffnen · ${count} in der Warteschlange` : 'Player öffnen'),
  query: 'Songname oder URL',
  start: 'Einen Player starten',
  startLead: 'Der Bot betritt einen Sprachkanal und spielt, was du willst.',
  channel: 'Sprachkanal',
  noChannels: 'Kein Bot dieses Projekts ist online und auf einem Server mit Sprachkanal.',
  play: 'Abspielen',
  refused: 'Das hat nicht geklappt.',
  sound: 'Audiodiagnose',
  soundLead: 'Die letzten zehn Minuten seines Tons, und was ihn gestört hat.',
  frames: 'Rahmen in zehn Sekunden',
  framesLead: (whole) =>
    `${whole} sind ganze zehn Sekunden Ton. Wo die Quelle nichts bereit hatte, wird Stille gesendet.`,
  sent: 'Pünktlich',
  late: 'Zu spät',
  nulled: 'Stille',
  happened: 'Was geschah',
  nothingHappened: 'Nichts Ungewöhnliches.',
  when: 'Wann',
  kind: 'Art',
}

export const PLAYERS: Words<PlayerWords> = { en, de }
