import type { PageWords } from '../../words/language.ts'

const en = {
  title: 'Events',
  lead: 'Events of players and bots, live. The latest 100 since the start.',
  live: 'live',
  filter: 'Filter',
  emptyTitle: 'No events yet',
  emptyText: 'Play something to see events here.',
  when: 'Time',
  what: 'Event',
  where: 'Server',
  more: 'Details',
  bot: 'Bot',
}

type EventWords = typeof en

const de: EventWords = {
  title: 'Ereignisse',
  lead: 'Ereignisse von Playern und Bots, live. Die letzten 100 seit dem Start.',
  live: 'live',
  filter: 'Filter',
  emptyTitle: 'Noch keine Ereignisse',
  emptyText: 'Spiele etwas, um hier Ereignisse zu sehen.',
  when: 'Zeit',
  what: 'Ereignis',
  where: 'Server',
  more: 'Details',
  bot: 'Bot',
}

export const EVENTS: PageWords<EventWords> = { en, de }
