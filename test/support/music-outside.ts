import type { CoverUrlOf } from '../../bot/covers/cover-addresses.ts'
import { createSources } from '../../bot/sources/index.ts'
import { createReader } from '../../bot/sources/library/reader.ts'
import type { SourceHealth } from '../../bot/sources/source-health.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { readConfig } from '../../config.ts'
import { createLibraryRecords } from '../../db/music/library.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import type { closing } from './closing.ts'
import { temporaryDatabase, temporaryFolder } from './database.ts'
import { createTestContext, type TestContext } from './upstreams/context.ts'

export interface OutsideSources {
  readonly sources: Sources
  readonly context: TestContext
}

export interface OutsideOptions {
  readonly log?: TestContext['log']
  readonly health?: SourceHealth
  readonly coverUrlOf?: CoverUrlOf
}

/** Real sources whose environment points at stand-ins on the loopback, which they may reach. */
export async function outsideSources(
  own: ReturnType<typeof closing>,
  env: Readonly<Record<string, string>>,
  { log, health, coverUrlOf }: OutsideOptions = {},
): Promise<OutsideSources> {
  const context = own(createTestContext(log ? { log } : {}))
  const allowHosts = ['127.0.0.1']
  const egress = own(createEgress({ allowHosts }))
  const { music, utilities } = readConfig({ UPSTREAM_TIMEOUT_MS: '600', ...env })
  const folder = temporaryFolder()
  own({ close: () => folder.remove() })
  const sources = await createSources({
    names: music.sources,
    library: { folders: [folder.path], records: createLibraryRecords(own(temporaryDatabase()).store) },
    allowHosts,
    reader: own(createReader({ allowHosts, log: context.log })),
    outside: {
      context,
      egress,
      places: music.places,
      timeoutMs: utilities.timeoutMs,
      cacheMax: utilities.cacheMaxEntries,
    },
    log: context.log,
    ...(health && { health }),
    ...(coverUrlOf && { coverUrlOf }),
  })
  return { sources: own(sources), context }
}
