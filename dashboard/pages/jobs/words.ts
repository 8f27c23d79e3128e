import type { JobStatus } from '../../../jobs/queue/job-record.ts'
import type { Words } from '../../words/language.ts'

const en = {
  title: 'Jobs',
  lead: 'Screenshots and renders of the project. Results are kept for a day.',
  emptyTitle: 'No jobs yet',
  emptyText: 'Ask for a screenshot or a render by the API; its picture appears here.',
  away: 'The queue cannot be reached now.',
  states: {
    pending: 'waiting',
    processing: 'being made',
    completed: 'done',
    failed: 'failed',
  } as Readonly<Record<JobStatus, string>>,
  types: { 'tools.screenshot': 'Screenshot', 'blockgame.render': 'Render' } as Readonly<Record<string, string>>,
  size: (width: number, height: number) => `${width} × ${height}`,
  picture: (label: string) => `Picture of ${label}`,
  place: (place: string) => `place ${place} in the queue`,
  request: 'Its request',
  refresh: 'Load again',
  older: 'Older',
  newest: 'Newest',
}

export type JobWords = typeof en

const de: JobWords = {
  title: 'Aufträge',
  lead: 'Bildschirmfotos und Figuren des Projekts. Ergebnisse bleiben einen Tag.',
  emptyTitle: 'Noch keine Aufträge',
  emptyText: 'Verlange über die API ein Bildschirmfoto oder eine Figur; das Bild erscheint hier.',
  away: 'Die Warteschlange ist gerade nicht erreichbar.',
  states: { pending: 'wartet', processing: 'entsteht', completed: 'fertig', failed: 'gescheitert' },
  types: { 'tools.screenshot': 'Bildschirmfoto', 'blockgame.render': 'Figur' },
  size: (width, height) => `${width} × ${height}`,
  picture: (label) => `Bild von ${label}`,
  place: (place) => `Platz ${place} in der Schlange`,
  request: 'Zur Anfrage',
  refresh: 'Neu laden',
  older: 'Ältere',
  newest: 'Neueste',
}

export const JOBS: Words<JobWords> = { en, de }
