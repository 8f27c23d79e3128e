import type { Outcome } from '../../../db/projects/usage.ts'
import type { Words } from '../../words/language.ts'

const en = {
  title: 'Usage',
  lead: 'Requests of all keys of the project. Counted to the minute; kept for ninety days.',
  range: 'Range',
  ranges: { hour: 'Hour', day: 'Day', month: 'Month' },
  by: 'By',
  groups: { outcome: 'Outcome', class: 'Class', key: 'Key', budget: 'Refusals' },
  outcomes: {
    ok: 'Answered',
    client_error: 'Caller’s error',
    limited: 'Over a limit',
    server_error: 'Our error',
  } as Readonly<Record<Outcome, string>>,
  requests: 'Requests',
  refused: 'Refused requests',
  budgets: { class: 'Budget of the class', total: 'Total of the project', other: 'Another bound' },
  budgetsShort: { class: 'by class', total: 'by total', other: 'otherwise' },
  budgetHint:
    'Refused with 429, by the budget that had no room. Another bound is one of open event sockets or waiting jobs.',
  noneRefused: 'Nothing was refused in this time',
  noneRefusedText: 'Requests beyond a budget of the plan would be counted here, by the budget that had no room.',
  perSpan: { minute: 'per minute', hour: 'per hour', day: 'per day' },
  latency: 'Answer time',
  latencyLead: 'How long answers took, in milliseconds: half of them, and all but five in a hundred.',
  p50: 'Median',
  p95: '95 of 100',
  byClass: 'By class',
  byKey: 'By key',
  class: 'Class',
  key: 'Key',
  all: 'All',
  limited: 'Over a limit',
  limitedHint:
    'Refused with 429, by the budget of the class or the total of the project. Under “Refusals” it is plotted over time.',
  errors: 'Our errors',
  goneKey: 'key of the past',
  emptyTitle: 'No requests in this time',
  emptyText: 'As soon as a program uses one of the keys, it is counted here.',
  export: 'Export as CSV',
}

export type UsageWords = typeof en

const de: UsageWords = {
  title: 'Nutzung',
  lead: 'Anfragen aller Schlüssel des Projekts. Auf die Minute gezählt, neunzig Tage aufbewahrt.',
  range: 'Zeitraum',
  ranges: { hour: 'Stunde', day: 'Tag', month: 'Monat' },
  by: 'Nach',
  groups: { outcome: 'Ergebnis', class: 'Klasse', key: 'Schlüssel', budget: 'Ablehnungen' },
  outcomes: {
    ok: 'Beantwortet',
    client_error: 'Fehler des Aufrufers',
    limited: 'Über einer Grenze',
    server_error: 'Unser Fehler',
  },
  requests: 'Anfragen',
  refused: 'Abgelehnte Anfragen',
  budgets: { class: 'Grenze der Klasse', total: 'Gesamtgrenze des Projekts', other: 'Andere Schranke' },
  budgetsShort: { class: 'Klasse', total: 'gesamt', other: 'sonst' },
  budgetHint:
    'Mit 429 abgelehnt, nach der Grenze, die verbraucht war. Eine andere Schranke ist die für offene Ereignis-Verbindungen oder wartende Aufträge.',
  noneRefused: 'In dieser Zeit wurde nichts abgelehnt',
  noneRefusedText: 'Anfragen über einer Grenze des Plans würden hier gezählt, nach der Grenze, die verbraucht war.',
  perSpan: { minute: 'je Minute', hour: 'je Stunde', day: 'je Tag' },
  latency: 'Antwortzeit',
  latencyLead: 'Wie lange Antworten brauchten, in Millisekunden: die Hälfte, und alle bis auf fünf von hundert.',
  p50: 'Median',
  p95: '95 von 100',
  byClass: 'Nach Klasse',
  byKey: 'Nach Schlüssel',
  class: 'Klasse',
  key: 'Schlüssel',
  all: 'Alle',
  limited: 'Über einer Grenze',
  limitedHint:
    'Mit 429 abgelehnt, an der Grenze der Klasse oder der gesamten. Unter „Ablehnungen“ steht es über die Zeit.',
  errors: 'Unsere Fehler',
  goneKey: 'früherer Schlüssel',
  emptyTitle: 'Keine Anfragen in dieser Zeit',
  emptyText: 'Sobald ein Programm einen der Schlüssel benutzt, wird es hier gezählt.',
  export: 'Als CSV ausgeben',
}

export const USAGE: Words<UsageWords> = { en, de }
