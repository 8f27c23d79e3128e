// Opens a browser with a page whose script never ends, tells of it, and waits to be killed.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../jobs/browser/browser.ts'
import { openEgressProxy } from '../../jobs/browser/egress-proxy.ts'
import { createLog } from '../../lib/log.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'

const log = createLog('silent')
const proxy = await openEgressProxy({ egress: createEgress({ allowHosts: [] }), log })
const browser = await openBrowser({ executablePath: process.argv[2] ?? '', proxy, log })
await browser.withPage({ offline: true }, AbortSignal.timeout(60_000), async (page) => {
  await page.evaluate('setTimeout(() => { for (;;); }, 50)')
  const own = readdirSync(tmpdir()).find((name) => name.startsWith(`bandstand-browser-${process.pid}-`))
  console.log(JSON.stringify({ group: browser.group, folder: join(tmpdir(), own ?? '') }))
  await new Promise(() => {})
})
