import { expect } from 'chai'
import type { Browser } from 'playwright'
import type { JobRecord } from '../../../jobs/queue/job-record.ts'
import { launchBrowser, openTab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { createFakeJobs, FAKE_JOB } from '../../support/fake-jobs.ts'

describe('the gallery of jobs', () => {
  const done = { ...FAKE_JOB, id: 'job_done', createdAtMs: Date.now() }
  const waiting: JobRecord = {
    ...done,
    id: 'job_new',
    status: 'pending',
    position: 3,
    finishedAtMs: null,
    result: null,
  }
  let jobs: readonly JobRecord[] = [waiting, done]
  const asked: (string | null)[] = []
  const list = async (_: string, { before }: { readonly before: string | null }) => {
    asked.push(before)
    return { jobs, next: before === null ? 'job_done' : null }
  }
  let dashboard: TestDashboard
  let browser: Browser
  let page: string

  before(async () => {
    dashboard = await startDashboard({ jobs: { ...createFakeJobs(), list } })
    const { id } = await dashboard.project('Harbour radio')
    await dashboard.person('Eve', { [id]: 'viewer' })
    page = `/dashboard/projects/${id}/jobs`
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
  })

  it('follows what is being made until it is there, and leads to older ones', async () => {
    const tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([await signedInCookie(dashboard, 'Eve')])
    await tab.page.goto(page)
    expect(await tab.page.textContent('[data-job=job_new]'))
      .to.include('position 3 in the queue')
      .and.include('waiting')
    expect(await tab.page.textContent('[data-job=job_done]'))
      .to.include('1280 × 800')
      .and.include('1.3 s')
    expect(await tab.page.getAttribute('[data-job=job_done] .job-words a', 'href')).to.match(
      /\/requests\/job-was-asked-for$/,
    )
    jobs = [
      { ...waiting, status: 'failed', position: null, error: { code: 'not_found', message: 'No such page.' } },
      done,
    ]
    await tab.page.waitForSelector('[data-job=job_new]:has-text("No such page.")')
    expect(await tab.page.locator('[data-job]').count()).to.equal(2)
    await tab.page.click('text=Older')
    await tab.page.waitForURL('**/jobs?before=job_done')
    expect(asked.at(-1)).to.equal('job_done')
    await tab.page.click('text=Newest')
    await tab.page.waitForURL('**/jobs')
    // The picture of these jobs is no picture.
    expect(tab.complaints.filter((line) => !/image|picture/.test(line))).to.deep.equal([])
    await tab.context.close()
  })
})
