import type { JobStatus } from '../../../../jobs/queue/job-record.ts'
import type { PageWords } from '../../words/language.ts'

const en = {
  title: 'Jobs',
  lead: 'Screenshots and renders. Results expire after 24 hours.',
  emptyTitle: 'No jobs yet',
  emptyText: 'Request a screenshot or render via the API to see it here.',
  away: 'The job queue is unavailable.',
  states: {
    pending: 'waiting',
    processing: 'running',
    completed: 'done',
    failed: 'failed',
  } as Readonly<Record<JobStatus, string>>,
  types: { 'tools.screenshot': 'Screenshot', 'blockgame.render': 'Render' } as Readonly<Record<string, string>>,
  size: (width: number, height: number) => `${width} × ${height}`,
  picture: (label: string) => `Image of ${label}`,
  place: (place: string) => `position ${place} in the queue`,
  request: 'Request',
  refresh: 'Refresh',
}

type JobWords = typeof en

const de: JobWords = {
  title: 'Aufträge',
  lead: 'Screenshots und Renderings. Ergebnisse laufen nach 24 Stunden ab.',
  emptyTitle: 'Noch keine Aufträge',
  emptyText: 'Fordere per API einen Screenshot oder ein Rendering an.',
  away: 'Die Auftragsschlange ist nicht verfügbar.',
  states: { pending: 'wartet', processing: 'läuft', completed: 'fertig', failed: 'fehlgeschlagen' },
  types: { 'tools.screenshot': 'Screenshot', 'blockgame.render': 'Rendering' },
  size: (width, height) => `${width} × ${height}`,
  picture: (label) => `Bild von ${label}`,
  place: (place) => `Platz ${place} in der Schlange`,
  request: 'Anfrage',
  refresh: 'Aktualisieren',
}

export const JOBS: PageWords<JobWords> = { en, de }
