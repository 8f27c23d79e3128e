import type { Words } from '../../words/language.ts'

const en = {
  title: 'Pools',
  lead: 'Bots behind one key. A program plays with whichever bot of the pool is free in a server.',
  create: 'New pool',
  createLead: 'A key that is linked to it plays with whichever of its bots is free.',
  empty: 'No pool yet. A pool lets one key play in several voice channels of a server at once, a bot for each.',
  name: 'Name',
  nameHint: 'What you call it.',
  bots: 'Bots',
  botsHint: 'The first that is free is taken, in this order.',
  noBot: 'Choose at least one bot.',
  manyBots: (max: number) => `At most ${max} bots.`,
  full: (max: number) => `A project has room for ${max} pools. Change one that is there.`,
  createButton: 'Create the pool',
  keys: 'Active keys',
  keysTitle: 'Keys linked to it',
  keysNone: 'No active key controls this pool yet.',
  newKey: 'New key for this pool',
  otherService: 'on another service',
  noBots: 'No bots: its keys control nothing.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'Its bots stay and play on. Keys that are linked to it stay, and control nothing.',
  removeButton: 'Remove the pool',
  keep: 'Keep it',
  done: { created: 'The pool is there.', changed: 'Saved. Its keys follow at once.', removed: 'The pool is removed.' },
}

export type PoolWords = typeof en

const de: PoolWords = {
  title: 'Pools',
  lead: 'Bots hinter einem Schlüssel. Ein Programm spielt mit dem Bot aus dem Pool, der auf einem Server frei ist.',
  create: 'Neuer Pool',
  createLead: 'Ein Schlüssel, der mit ihm verknüpft ist, spielt mit dem seiner Bots, der frei ist.',
  empty:
    'Noch kein Pool. Mit einem Pool spielt ein Schlüssel in mehreren Sprachkanälen eines Servers zugleich, je ein Bot.',
  name: 'Name',
  nameHint: 'Wie du ihn nennst.',
  bots: 'Bots',
  botsHint: 'Genommen wird der erste, der frei ist, in dieser Reihenfolge.',
  noBot: 'Wähle mindestens einen Bot.',
  manyBots: (max) => `Höchstens ${max} Bots.`,
  full: (max) => `Ein Projekt hat Platz für ${max} Pools. Ändere einen, der schon da ist.`,
  createButton: 'Pool anlegen',
  keys: 'Aktive Schlüssel',
  keysTitle: 'Mit ihm verknüpfte Schlüssel',
  keysNone: 'Noch kein aktiver Schlüssel steuert diesen Pool.',
  newKey: 'Neuer Schlüssel für diesen Pool',
  otherService: 'auf einem anderen Dienst',
  noBots: 'Keine Bots: Seine Schlüssel steuern nichts.',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeText: 'Seine Bots bleiben und spielen weiter. Verknüpfte Schlüssel bleiben und steuern nichts mehr.',
  removeButton: 'Pool entfernen',
  keep: 'Behalten',
  done: {
    created: 'Der Pool ist angelegt.',
    changed: 'Gespeichert. Seine Schlüssel folgen sofort.',
    removed: 'Der Pool ist entfernt.',
  },
}

export const POOLS: Words<PoolWords> = { en, de }
