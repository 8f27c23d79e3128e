import type { Words } from '../../words/language.ts'

const en = {
  title: 'Usage',
  lead: 'Requests of all keys in this project.',
  source:
    'Counted as each request ends, in UTC. Minutes are kept for 2 days, hours for 90 days, days for a year. Percentiles are estimated from 12 latency buckets (5 ms to 10 s). Single requests are in the request log for 7 days: click a bar or a number.',
  range: 'Range',
  ranges: { hour: '1 hour', day: '24 hours', week: '7 days', month: '30 days', year: '1 year' },
  by: 'Group by',
  groups: { status: 'Status', route: 'Route', key: 'Key', class: 'Class', limit: 'Rate limits' },
  statuses: { ok: '2xx', clientErrors: '4xx', limited: '429', serverErrors: '5xx' },
  others: (count: number) => `${count} others`,
  requests: 'Requests',
  refused: 'Rate-limited requests',
  budgets: { class: 'Class limit', total: 'Project limit', other: 'Other limit' },
  budgetsShort: { class: 'by class', total: 'by project', other: 'other' },
  limitHint: 'Answered with 429, by the limit that was reached. Other limits apply to open WebSockets and queued jobs.',
  noneRefused: 'No rate-limited requests',
  noneRefusedText: 'Every request in this range was within its limits.',
  perSpan: { minute: 'per minute', hour: 'per hour', day: 'per day' },
  latency: 'Latency',
  latencyLead: 'Time to answer, in milliseconds. Gaps are times without requests.',
  byRoute: 'By route',
  byClass: 'By class',
  byKey: 'By key',
  route: 'Route',
  class: 'Class',
  key: 'Key',
  noRoutes: 'Routes are counted since the last update of this service.',
  goneKey: 'deleted key',
  emptyTitle: 'No requests in this range',
  emptyText: 'Requests show up here as soon as a program uses a key.',
  export: 'Export CSV',
}

export type UsageWords = typeof en

const de: UsageWords = {
  title: 'Nutzung',
  lead: 'Anfragen aller Schlüssel dieses Projekts.',
  source:
    'Gezählt am Ende jeder Anfrage, in UTC. Minuten bleiben 2 Tage, Stunden 90 Tage, Tage ein Jahr. Perzentile sind aus 12 Latenzklassen (5 ms bis 10 s) geschätzt. Einzelne Anfragen stehen 7 Tage im Anfrageprotokoll: Klicke auf einen Balken oder eine Zahl.',
  range: 'Zeitraum',
  ranges: { hour: '1 Stunde', day: '24 Stunden', week: '7 Tage', month: '30 Tage', year: '1 Jahr' },
  by: 'Gruppieren nach',
  groups: { status: 'Status', route: 'Route', key: 'Schlüssel', class: 'Klasse', limit: 'Ratenlimits' },
  statuses: { ok: '2xx', clientErrors: '4xx', limited: '429', serverErrors: '5xx' },
  others: (count) => `${count} weitere`,
  requests: 'Anfragen',
  refused: 'Anfragen über dem Ratenlimit',
  budgets: { class: 'Limit der Klasse', total: 'Limit des Projekts', other: 'Anderes Limit' },
  budgetsShort: { class: 'Klasse', total: 'Projekt', other: 'andere' },
  limitHint:
    'Mit 429 beantwortet, nach dem erreichten Limit. Andere Limits gelten für offene WebSockets und wartende Aufträge.',
  noneRefused: 'Keine Anfragen über dem Ratenlimit',
  noneRefusedText: 'Alle Anfragen in diesem Zeitraum lagen innerhalb ihrer Limits.',
  perSpan: { minute: 'pro Minute', hour: 'pro Stunde', day: 'pro Tag' },
  latency: 'Latenz',
  latencyLead: 'Zeit bis zur Antwort in Millisekunden. Lücken sind Zeiten ohne Anfragen.',
  byRoute: 'Nach Route',
  byClass: 'Nach Klasse',
  byKey: 'Nach Schlüssel',
  route: 'Route',
  class: 'Klasse',
  key: 'Schlüssel',
  noRoutes: 'Routen werden seit dem letzten Update dieses Dienstes gezählt.',
  goneKey: 'gelöschter Schlüssel',
  emptyTitle: 'Keine Anfragen in diesem Zeitraum',
  emptyText: 'Anfragen erscheinen hier, sobald ein Programm einen Schlüssel benutzt.',
  export: 'CSV exportieren',
}

export const USAGE: Words<UsageWords> = { en, de }
