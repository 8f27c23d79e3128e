import { html, type Markup } from '../../../../lib/html.ts'
import { Fault, nullOn } from '../../../../lib/errors.ts'
import type { JobRecord, JobStatus } from '../../../../jobs/queue/job-record.ts'
import { page, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { ago, chip, emptyState, head, linkButton, note, number, pager, type Tone } from '../../ui/components.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { requestPath } from '../requests/address.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const JOBS = textsOf('dashboard-jobs')

const PATH = '/dashboard/projects/:projectId/jobs'
const PER_PAGE = 60
const JOB_ID = /^job_\w{1,40}$/
const TONES = { pending: 'quiet', processing: 'warn', completed: 'good', failed: 'bad' } as const satisfies Record<
  JobStatus,
  Tone
>

export const JOB_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, galleryPage),
  page('viewer', `${PATH}/:jobId/picture`, picture),
]

async function galleryPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language, query } = request
  const w = JOBS[language]
  const given = query.get('before') ?? ''
  const before = JOB_ID.test(given) ? given : null
  const found = await context.jobs.list(project.id, { before, limit: PER_PAGE }).catch(nullOn('service_unavailable'))
  const jobs = found?.jobs ?? null
  const base = `/dashboard/projects/${project.id}/jobs`
  const content =
    jobs === null
      ? note('warn', w.away)
      : jobs.length === 0
        ? emptyState('jobs', w.emptyTitle, w.emptyText)
        : html`<ul class="gallery" data-gallery>
              ${jobs.map((job) => html`<li data-job="${job.id}" data-status="${job.status}">${card(request, job)}</li>`)}
            </ul>
            ${pager(language, base, { before, next: found?.next ?? null })}`
  return {
    kind: 'page',
    title: w.title,
    scripts: ['jobs.js'],
    body: html`${head(w.title, { lead: w.lead, action: linkButton(base, w.refresh) })} ${content}`,
  }
}

function card(request: ProjectRequest, job: JobRecord): Markup {
  const { context, project, language } = request
  const w = JOBS[language]
  const to = `/dashboard/projects/${project.id}/jobs/${job.id}/picture`
  const { result } = job
  return html`<article class="job">
    ${
      result
        ? html`<a href="${to}">${preview(to, result.contentType, w.picture({ label: job.label }))}</a>`
        : html`<span class="job-none">${chip(TONES[job.status], w.states[job.status])}</span>`
    }
    <div class="job-words">
      <p class="job-label">${job.label}</p>
      <small>${facts(request, job)}</small>
      ${result && chip(TONES[job.status], w.states[job.status])}
      ${context.requests.isOn && job.requestId !== null && html`<p><a href="${requestPath(project.id, job.requestId)}">${w.request}</a></p>`}
      ${job.error && html`<p class="problem" lang="en">${job.error.message}</p>`}
    </div>
  </article>`
}

function preview(to: string, contentType: string, label: string): Markup {
  // A browser shows no PDF within a page that forbids frames.
  if (contentType === 'application/pdf') return html`<span class="job-none">PDF</span>`
  return html`<img src="${to}" alt="${label}" loading="lazy" />`
}

function facts(
  request: ProjectRequest,
  { type, createdAtMs, startedAtMs, finishedAtMs, result, position }: JobRecord,
): Markup {
  const { language } = request
  const w = JOBS[language]
  const tookMs = startedAtMs === null || finishedAtMs === null ? null : finishedAtMs - startedAtMs
  return html`${w.types[type] ?? type} · ${ago(request, createdAtMs)}
  ${result && html` · ${w.size({ width: result.width, height: result.height })}`}
  ${tookMs !== null && html` · ${number(language, Math.round(tookMs / 100) / 10)} s`}
  ${position !== null && html` · ${w.place({ place: number(language, position) })}`}`
}

async function picture({ context, project, params }: ProjectRequest): Promise<Outcome> {
  const job = await context.jobs.get(project.id, params['jobId'] ?? '')
  const body = job?.result ? await context.jobs.open(job.result, null) : null
  if (!job?.result || !body) throw new Fault('not_found', 'Image not found.')
  return { kind: 'file', contentType: job.result.contentType, body, isKept: true }
}
