/** Events of bots, players and music sources: what sockets and webhooks may choose. */
export const EVENT_TYPES = [
  'trackStarted',
  'trackEnded',
  'chapterStarted',
  'segmentSkipped',
  'queueEmptied',
  'playerClosed',
  'botStopped',
  'sourceChanged',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
