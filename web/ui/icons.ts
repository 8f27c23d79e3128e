import type { Markup } from '../../lib/html.ts'

/** Strokes on a grid of 20; each is drawn with the colour and at the size of the text beside it. */
const PATHS = {
  overview: 'M3 9.5 10 3.5l7 6M5 8.5v8h10v-8M8.5 16.5v-4.5h3v4.5',
  key: 'M12.5 11.5a4 4 0 1 0-3.8-2.8L3 14.4V17h3v-2h2v-2h1.6l1.1-1.7a4 4 0 0 0 1.8.2ZM13.5 6.5h.01',
  bot: 'M4 8h12v8H4zM10 8V4.5M8.5 4.5h3M7.5 11.5v1M12.5 11.5v1M2 11v2M18 11v2',
  players: 'M7 15V4.5l9-1.5v10.5M7 15a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM16 13.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  lavalink: 'M4 4v12M8 8v4M12 6v8M16 3v14',
  sources: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM5.5 10A4.5 4.5 0 0 1 10 5.5',
  usage: 'M3 17h14M5 14v-3M8.5 14V7M12 14V9.5M15.5 14V4',
  requests: 'M3 6h11M11 3l3 3-3 3M17 14H6M9 11l-3 3 3 3',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4',
  jobs: 'M3 4h14v12H3zM3 13l4-4 3.5 3.5L13 10l4 4M13 7.2h.01',
  events: 'M3 10h3l2-5 4 10 2-5h3',
  webhooks:
    'M8.5 11.5 6 15.5M13 13.5H8M10 6.5l2.5 4M5.5 17.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM14.5 15.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  members:
    'M7 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c0-3 2-5 5-5s5 2 5 5M13 9.5a2.5 2.5 0 1 0-.5-5M14 11.7c2.4.3 4 2.2 4 4.8',
  audit: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  settings: 'M4 6h8M15 6h1M4 14h1M8 14h8M13.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM6.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  projects: 'M3 6h5l1.5 2H17v8H3z',
  plus: 'M10 4v12M4 10h12',
  out: 'M12 4H5v12h7M9 10h8M14 7l3 3-3 3',
  keyboard: 'M2.5 5h15v10h-15zM5.5 8h.01M8.5 8h.01M11.5 8h.01M14.5 8h.01M6.5 12h7',
  book: 'M10 5.5C8.5 4.3 6 4 3 4v11c3 0 5.5.3 7 1.5 1.5-1.2 4-1.5 7-1.5V4c-3 0-5.5.3-7 1.5ZM10 5.5v11',
  sun: 'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  moon: 'M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z',
  menu: 'M3 6h14M3 10h14M3 14h14',
  copy: 'M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4',
  check: 'M4 10.5 8 14.5 16 6',
  warning: 'M10 3 2.5 16.5h15zM10 8v4M10 14.2h.01',
  up: 'M6 12l4-4 4 4',
  person: 'M10 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM4 17c0-3.3 2.5-5.5 6-5.5s6 2.2 6 5.5',
  previous: 'M15 4.5 7.5 10l7.5 5.5zM5 4.5v11',
  skip: 'M5 4.5 12.5 10 5 15.5zM15 4.5v11',
  play: 'M6 3.8 16 10 6 16.2z',
  pause: 'M7 4.5v11M13 4.5v11',
  stop: 'M5 5h10v10H5z',
  shuffle: 'M3 6h2.5l7 8H17M3 14h2.5l2-2.3M10.5 8.3l2-2.3H17M15 4l2 2-2 2M15 12l2 2-2 2',
  loop: 'M4 9.5V8a2 2 0 0 1 2-2h10M14 4l2 2-2 2M16 10.5V12a2 2 0 0 1-2 2H4M6 16l-2-2 2-2',
  volume: 'M3 8v4h3l4 3.5v-11L6 8zM13 7.5a3.5 3.5 0 0 1 0 5M15.2 5.2a6.8 6.8 0 0 1 0 9.6',
  muted: 'M3 8v4h3l4 3.5v-11L6 8zM13.5 8l4 4M17.5 8l-4 4',
  heart: 'M10 16.5 4 10.6a3.7 3.7 0 0 1 5.2-5.3l.8.8.8-.8A3.7 3.7 0 0 1 16 10.6z',
  grip: 'M4 7h12M4 13h12',
  cross: 'M5 5l10 10M15 5 5 15',
  'play-next': 'M3 4h14M9 9.5h8M9 14.5h8M4.5 16V8M2 10.5 4.5 8 7 10.5',
  jump: 'M3.5 5 9.5 10l-6 5zM10.5 5l6 5-6 5z',
  microphone: 'M10 3a2.5 2.5 0 0 0-2.5 2.5v4a2.5 2.5 0 0 0 5 0v-4A2.5 2.5 0 0 0 10 3ZM5 9.5a5 5 0 0 0 10 0M10 14.5V17',
  history: 'M10 17a7 7 0 1 0-6.6-9.4M3 3.5V8h4.5M10 6.5V10l2.5 2',
  expand: 'M11.5 3.5h5v5M8.5 16.5h-5v-5M16.5 3.5l-5.5 5.5M3.5 16.5 9 11',
} as const

export type IconName = keyof typeof PATHS

/** A picture beside words that say the same, so hidden from screen readers. */
export function icon(name: IconName): Markup {
  return {
    markup: `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"/></svg>`,
  }
}

/** A bandstand: roof, pillars, platform. */
export const BRAND: Markup = {
  markup:
    '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">' +
    '<path d="M12 2v2M3 10c4-1 7-3 9-6 2 3 5 5 9 6zM5 10v8M9.7 10v8M14.3 10v8M19 10v8M3 18h18M2 21.5h20"/></svg>',
}
