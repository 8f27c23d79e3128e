import type { Words } from '../../words/language.ts'

const en = {
  title: 'Events',
  lead: 'What players and bots tell, as the events socket sends it. The latest 100 since the service started.',
  live: 'live',
  filter: 'Shown',
  emptyTitle: 'Nothing has happened yet',
  emptyText: 'Events appear here as soon as a bot plays something.',
  when: 'When',
  what: 'What',
  where: 'Server',
  more: 'Details',
  bot: 'Bot',
}

export type EventWords = typeof en

const de: EventWords = {
  title: 'Ereignisse',
  lead: 'Was Player und Bots melden, wie es über die Ereignis-Verbindung geht. Die letzten 100 seit dem Start des Dienstes.',
  live: 'live',
  filter: 'Gezeigt',
  emptyTitle: 'Noch ist nichts geschehen',
  emptyText: 'Ereignisse erscheinen hier, sobald ein Bot etwas spielt.',
  when: 'Wann',
  what: 'Was',
  where: 'Server',
  more: 'Einzelheiten',
  bot: 'Bot',
}

export const EVENTS: Words<EventWords> = { en, de }
