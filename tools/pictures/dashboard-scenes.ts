// Scenes for the pictures of the dashboard: all done to the service by the ways of people and programs.
import { TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright'

export interface Demo {
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly voiceChannelId: string
  readonly keys: { readonly linked: string }
  readonly queries: readonly string[]
}

/** Takes pictures of a page that is shown once, in all sizes and colours, under this name. */
type Shoot = (page: Page, name: string) => Promise<void>

/** Something for the plots. */
const REQUESTS = [
  'tools/binary/encode?text=hi',
  'translation/languages',
  'holidays/countries',
  'tools/binary/decode?text=2',
]
const SCREENSHOTS = ['article', 'records', 'timetable', 'records&device=mobile', 'article&fullpage=true', 'nowhere']
const WAIT_MS = 60_000
/** A receiver that says nothing is given up after ten seconds. */
const HANGS_MS = 30_000
const PASSWORD = 'seven lanterns over the quay'

/** A few tracks, and requests of a program. */
export async function playAndAsk({ baseUrl, guildId, voiceChannelId, keys, queries }: Demo): Promise<void> {
  const authorization = `Bearer ${keys.linked}`
  for (const query of queries.slice(0, 5)) {
    await fetch(`${baseUrl}/v1/music/guilds/${guildId}/play`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query, channelId: voiceChannelId }),
      signal: AbortSignal.timeout(WAIT_MS),
    })
  }
  for (let i = 0; i < 120; i += 1) {
    const path = REQUESTS[Math.floor(Math.sqrt(i)) % REQUESTS.length] ?? ''
    await fetch(`${baseUrl}/v1/${path}`, { headers: { authorization }, signal: AbortSignal.timeout(WAIT_MS) })
  }
}

/** Screenshots of pages of our own, and of one that is not there. */
export async function render({ baseUrl, keys }: Demo, site: string): Promise<void> {
  const headers = { authorization: `Bearer ${keys.linked}` }
  const ask = async (path: string): Promise<{ readonly jobId: string }> => {
    const answer = await fetch(`${baseUrl}/v1/${path}`, { headers, signal: AbortSignal.timeout(WAIT_MS) })
    return ((await answer.json()) as { data: { jobId: string } }).data
  }
  for (const name of SCREENSHOTS) {
    const { jobId } = await ask(`tools/screenshot?url=${site}/${name}`)
    await ask(`jobs/${jobId}/wait`)
  }
}

/** Paths of the pages for the pictures of webhooks. */
export type Webhooks = Awaited<ReturnType<typeof sendWebhooks>>

/**
 * Webhooks to real servers: one that comes back after it was down, one that never answers, one that is gone for good. What
 * they want to hear of does not happen while pictures are taken.
 * @param happen triggers an event that they receive.
 */
export async function sendWebhooks(
  page: Page,
  { demo, site, shoot }: { readonly demo: Demo; readonly site: string; readonly shoot: Shoot },
  happen: () => Promise<void>,
) {
  const base = `${demo.baseUrl}/dashboard/projects/${demo.projectId}/webhooks`
  const make = async (name: string, description: string): Promise<string> => {
    await page.goto(`${base}/new`)
    await page.fill('#url', `${site}/hooks/${name}`)
    await page.fill('#description', description)
    for (const event of ['trackStarted', 'trackEnded', 'queueEmptied']) await page.uncheck(`[value=${event}]`)
    await page.click('.buttons .primary')
    await page.waitForURL('**/shown?ticket=*')
    return `${base}/${page.url().split('/').at(-2)}`
  }
  const test = async (hook: string): Promise<string> => {
    await page.goto(hook)
    await page.click(`form[action$="/test"] button`)
    await page.waitForURL('**/deliveries/*')
    return page.url()
  }
  const hook = await make('lobby', 'Screen in the lobby')
  await shoot(page, 'webhook-secret')
  const delivery = await test(hook)
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    await page.click('form[action$="/redeliver"] button')
    await page.waitForSelector(`tbody tr:nth-child(${attempt})`)
  }
  await happen()
  const hanging = await make('wall', 'Wall of the canteen')
  await test(hanging)
  const endMs = performance.now() + HANGS_MS
  while ((await page.locator('tbody tr').count()) === 0 && performance.now() < endMs) await page.reload()
  await test(await make('old', 'The screen by the door'))
  return { hook, hanging, delivery }
}

/** A member is invited, signs up with a password, and sets up a second factor; on the way are pages that are shown once. */
export async function inviteSomebody(
  page: Page,
  {
    demo,
    newContext,
    shoot,
  }: { readonly demo: Demo; readonly newContext: () => Promise<BrowserContext>; readonly shoot: Shoot },
): Promise<void> {
  await page.goto(`${demo.baseUrl}/dashboard/projects/${demo.projectId}/members`)
  await page.click('form[action$="/invite"] .primary')
  await page.waitForURL('**/invited?ticket=*')
  await shoot(page, 'invited')
  const context = await newContext()
  const theirs = await context.newPage()
  await theirs.goto((await page.textContent('.secret code')) ?? '')
  await shoot(theirs, 'invitation')
  await theirs.fill('#name', 'Mara Lindqvist')
  await theirs.fill('#password', PASSWORD)
  await theirs.click('.buttons .primary')
  await theirs.waitForURL('**/projects/*')
  await theirs.goto(`${demo.baseUrl}/dashboard/account/totp`)
  await shoot(theirs, 'second-factor')
  const secret = (await theirs.textContent('.copyable code')) ?? ''
  await theirs.fill('#code', new TOTP({ secret }).generate())
  await theirs.click('.buttons .primary')
  await theirs.waitForURL('**/recovery?ticket=*')
  await shoot(theirs, 'recovery-codes')
  await theirs.goto(`${demo.baseUrl}/dashboard/account/recovery`)
  await shoot(theirs, 'recovery')
  await theirs.click('form[action$="/sign-out"] button')
  await theirs.fill('#name', 'Mara Lindqvist')
  await theirs.fill('#password', PASSWORD)
  await theirs.click('.buttons .primary')
  await theirs.waitForURL('**/sign-in/code*')
  await shoot(theirs, 'sign-in-code')
  await context.close()
}

/** A key for a program. @returns its address. */
export async function makeKey(page: Page, demo: Demo, shoot: Shoot): Promise<string> {
  const base = `${demo.baseUrl}/dashboard/projects/${demo.projectId}/keys`
  await page.goto(`${base}/new`)
  await page.fill('#name', 'Jukebox of the canteen')
  await page.selectOption('#expires', '90')
  await page.click('.buttons .primary')
  await page.waitForURL('**/shown?ticket=*')
  await shoot(page, 'key-shown')
  return `${base}/${page.url().split('/').at(-2)}`
}

/** A pool of the bot. @returns its address. */
export async function makePool(page: Page, { baseUrl, projectId }: Demo): Promise<string> {
  await page.goto(`${baseUrl}/dashboard/projects/${projectId}/pools/new`)
  await page.fill('#name', 'Bots of the house')
  await page.click('.buttons .primary')
  await page.waitForURL('**/pools/*?done=created')
  return page.url().split('?')[0] ?? ''
}

/** Controls of a player, and changes of the project, as people do them. */
export async function changeThings(page: Page, { baseUrl, projectId, botId, guildId }: Demo): Promise<void> {
  const base = `${baseUrl}/dashboard/projects/${projectId}`
  await page.goto(`${base}/players/${botId}/${guildId}`)
  const csrf = (await page.getAttribute('[name=csrf]', 'value')) ?? ''
  const player = `${base}/players/${botId}/${guildId}`
  for (const volume of ['90', '80', '70', '100'])
    await page.request.post(`${player}/volume`, { form: { csrf, volume } })
  await page.request.post(`${player}/loop`, { form: { csrf, loop: 'queue' } })
  for (const name of ['Sandbox radio', 'Sandbox demo']) {
    await page.request.post(`${base}/settings/name`, { form: { csrf, name } })
  }
}

/** Requests that are refused, each in its own way. @returns the page of the first one. */
export async function failOnce({ baseUrl, projectId, guildId, keys }: Demo): Promise<string> {
  const headers = { authorization: `Bearer ${keys.linked}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(WAIT_MS)
  const body = JSON.stringify({ query: 'lanterns', channelId: 81_384_788 })
  const url = `${baseUrl}/v1/music/guilds/${guildId}/play`
  const refused = await fetch(url, { method: 'POST', headers, body, signal })
  for (const path of ['tools/screenshot?url=nowhere', 'jobs/job_nowhere', 'holidays/XX']) {
    await fetch(`${baseUrl}/v1/${path}`, { headers, signal })
  }
  return `/dashboard/projects/${projectId}/requests/${refused.headers.get('x-request-id') ?? ''}`
}
