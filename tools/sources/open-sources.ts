import { createHttpSource } from '../../bot/sources/http/http.ts'
import { createReader } from '../../bot/sources/library/reader.ts'
import { createOutsideSource, type Outside } from '../../bot/sources/remote-sources.ts'
import type { Source } from '../../bot/sources/source.ts'
import { readConfig } from '../../config.ts'
import { monotonicNow } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { noopHooks } from '../../lib/telemetry-hooks.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { changedUrls, UPSTREAM_ENV } from '../../upstream/http/addresses.ts'
import { openUpstreamContext } from '../../upstream/http/context.ts'
import { z } from 'zod'
import { createAnswers } from './answers.ts'
import type { SourceShapes } from './shapes.ts'

const NOT_ASKED = 'Links are read here, and their songs looked for nowhere.'

const notAsked = () => Promise.reject(new Error(NOT_ASKED))

/** The sources of music sites as the service has them, without any state. */
export function openSources(env: Readonly<Record<string, string | undefined>>) {
  const log = createLog('silent')
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { music, egress: reach, utilities: settings } = readConfig(env)
  const { allowHosts, userAgent } = reach
  const egress = createEgress({ allowHosts, userAgent })
  const calls = { settings, log, metrics: noopHooks, now: monotonicNow, date: Date.now }
  const upstream = openUpstreamContext(calls)
  const reader = createReader({ allowHosts, log })
  const { timeoutMs } = settings
  const outside: Outside = { context: upstream.context, egress, places: music.places, timeoutMs, cacheMax: 100 }
  const web = createHttpSource({ reader, findInFeed: notAsked, uploads: null })
  const means = { reader, web, mirror: notAsked, open: notAsked, allowHosts, coverUrlOf: () => null }
  return {
    open: (name: SourceShapes['source']): Source => createOutsideSource(name, outside, means),
    fetch: createAnswers(outside, changedUrls(z.object(UPSTREAM_ENV).parse(given))),
    async [Symbol.asyncDispose]() {
      await reader.close()
      await upstream.close()
      await egress.close()
    },
  }
}
