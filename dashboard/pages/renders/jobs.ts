import { html, type Markup } from '../../../api/docs/html.ts'
import { Fault } from '../../../errors.ts'
import type { JobRecord, JobStatus } from '../../../jobs/record.ts'
import { page, type Outcome, type Page, type Route } from '../../route.ts'
import { ago, chip, emptyState, head, linkButton, note, type Tone } from '../../ui/parts.ts'
import type { ProjectVisit } from '../../visit.ts'
import { JOBS } from './words.ts'

const PATH = '/dashboard/projects/:projectId/jobs'
const MOST_SHOWN = 60
const TONES = { pending: 'quiet', processing: 'warn', completed: 'good', failed: 'bad' } as const satisfies Record<
  JobStatus,
  Tone
>

export const JOB_PAGES: readonly Route[] = [
  page('viewer', PATH, galleryPage),
  page('viewer', `${PATH}/:jobId/picture`, picture),
]

async function galleryPage(visit: ProjectVisit): Promise<Page> {
  const { desk, project, language } = visit
  const w = JOBS[language]
  const found = await desk.jobs.list(project.id, { before: null, limit: MOST_SHOWN }).catch(away)
  const jobs = found?.jobs ?? null
  const base = `/dashboard/projects/${project.id}/jobs`
  const content =
    jobs === null
      ? note('warn', w.away)
      : jobs.length === 0
        ? emptyState('jobs', w.emptyTitle, w.emptyText)
        : html`<ul class="gallery">
            ${jobs.map((job) => html`<li>${card(visit, job)}</li>`)}
          </ul>`
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: linkButton(base, w.refresh) })} ${content}`,
  }
}

function away(error: unknown): null {
  if (error instanceof Fault && error.code === 'service_unavailable') return null
  throw error
}

function card(visit: ProjectVisit, job: JobRecord): Markup {
  const { project, language } = visit
  const w = JOBS[language]
  const to = `/dashboard/projects/${project.id}/jobs/${job.id}/picture`
  const { result } = job
  return html`<article class="job">
    ${
      result
        ? html`<a href="${to}"><img src="${to}" alt="${w.picture(job.label)}" loading="lazy" /></a>`
        : html`<span class="job-none">${chip(TONES[job.status], w.states[job.status])}</span>`
    }
    <div class="job-words">
      <p class="job-label">${job.label}</p>
      <small
        >${w.types[job.type] ?? job.type} · ${ago(visit, job.createdAtMs)}
        ${result && html` · ${w.size(result.width, result.height)}`}</small
      >
      ${result && chip(TONES[job.status], w.states[job.status])}
      ${job.error && html`<p class="problem">${job.error.message}</p>`}
    </div>
  </article>`
}

async function picture({ desk, project, params }: ProjectVisit): Promise<Outcome> {
  const job = await desk.jobs.get(project.id, params['jobId'] ?? '')
  const body = job?.result ? await desk.jobs.open(job.result, null) : null
  if (!job?.result || !body) throw new Fault('not_found', 'There is no such picture.')
  return { kind: 'file', contentType: job.result.contentType, body, isKept: true }
}
