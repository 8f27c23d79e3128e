import { Command, Option } from 'commander'
import type { Grouping, UsageRow } from '../../../db/projects/usage.ts'
import type { AdminContext, Json } from '../context.ts'
import { isoTime, parseMoment, table } from '../words.ts'

interface UsageOptions extends Json {
  readonly project: string
  readonly by: Grouping
  readonly since: number
  readonly until?: number
}

const GROUPINGS = ['class', 'key', 'outcome', 'minute', 'hour', 'day'] as const satisfies readonly Grouping[]
const DAY_MS = 86_400_000

const EXAMPLES = `
Examples:
  npm run admin -- usage --project prj_…
  npm run admin -- usage --project prj_… --by key --since 7d
  npm run -s admin -- usage --project prj_… --by hour --since 2027-01-31 --json

The running service updates the counts every second. Retention: minutes for two days, hours and days for ninety days.
Percentiles are estimates from latency buckets.`

/** Shows the requests of a project's keys. */
export function usageCommand(context: AdminContext): Command {
  return new Command('usage')
    .description("show a project's requests, outcomes and latencies")
    .requiredOption('--project <id>', 'project ID')
    .addOption(new Option('--by <what>', 'group by').choices(GROUPINGS).default('class'))
    .addOption(
      new Option('--since <time>', 'start, as an ISO 8601 time or a time span before now')
        .argParser(parseMoment)
        .default(Date.now() - DAY_MS, '24h'),
    )
    .option('--until <time>', 'end, in the same form', parseMoment)
    .addHelpText('after', EXAMPLES)
    .action((options: UsageOptions) => show(context, options))
}

async function show(context: AdminContext, options: UsageOptions): Promise<void> {
  const { by, since, until = Date.now() + 1 } = options
  const projectId = (await context.projects().get(options.project)).id
  const summary = await context.usage().summary({ projectId, by, sinceMs: since, untilMs: until })
  const rows = summary.map(named)
  const headings = [by, 'requests', 'ok', 'client errors', 'limited', 'server errors', 'mean ms', 'p50', 'p95', 'p99']
  const lines = rows.map((it) => [
    it.group,
    it.requests,
    it.ok,
    it.clientErrors,
    it.limited,
    it.serverErrors,
    it.meanMs,
    it.p50Ms,
    it.p95Ms,
    it.p99Ms,
  ])
  context.show(options, { projectId, by, since: isoTime(since), until: isoTime(until), rows }, table(headings, lines))
}

function named(row: UsageRow) {
  return { ...row, group: typeof row.group === 'number' ? isoTime(row.group) : row.group }
}
