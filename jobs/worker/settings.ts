import { join } from 'node:path'
import { z } from 'zod'
import { hexKey } from '../../lib/validation/hex-key.ts'
import type { ResultsSettings } from '../results/open-results.ts'

const text = z.string().trim().min(1)

const EASYLIST = 'https://easylist.to/easylist/easylist.txt'

/** The variables of jobs and their renderers; `.env.example` explains each. */
export const JOB_ENV = {
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'Must have 1 to 40 letters, digits, dots and dashes.')
    .default('bandstand'),
  RENDER_CONCURRENCY: z.coerce.number().int().min(0).max(64).optional(),
  RENDER_QUEUE_MAX: z.coerce.number().int().min(2).max(100_000).default(2000),
  CHROMIUM_PATH: text.optional(),
  RENDERER_IDLE_SECONDS: z.coerce.number().min(0).max(86_400).default(300),
  CHROMIUM_IDLE_SECONDS: z.coerce.number().min(0).max(86_400).default(120),
  CHROMIUM_SANDBOX: z.enum(['on', 'off']).optional(),
  JOBS_KEY: hexKey.optional(),
  AD_LISTS: z
    .string()
    .default(EASYLIST)
    .transform((value) => value.split(/[\s,]+/).filter((url) => url !== ''))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).max(20)),
  RESULTS_MAX_MB: z.coerce.number().int().min(1).default(5000),
  RESULTS_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  RESULTS_S3_REGION: text.default('auto'),
  RESULTS_S3_ACCESS_KEY_ID: text.optional(),
  RESULTS_S3_SECRET_ACCESS_KEY: text.optional(),
  RESULTS_S3_PREFIX: z.string().trim().default(''),
}

type Env = z.output<z.ZodObject<typeof JOB_ENV>>

export interface JobSettings {
  /** Prefix of all keys in Redis, of jobs and everything else. */
  readonly redisPrefix: string
  readonly dataDir: string
  /** Jobs of each type at once; 0: none are done here. Null: by the number of cores. */
  readonly concurrency: number | null
  readonly queueMax: number
  /** Null means the installed browser, `none` means no browser. */
  readonly chromiumPath: string | null
  /** Null: on, unless the renderer runs as root, for whom Chromium refuses it. */
  readonly chromiumSandbox: boolean | null
  /** After so long without a job the service's own renderer exits until the next one; null: never. */
  readonly rendererIdleMs: number | null
  /** After so long without a page Chromium exits until the next one; null: never. */
  readonly chromiumIdleMs: number | null
  /** Hex; seals what callers confide for a job. Null: derived from the service's own key. */
  readonly secretsKey: string | null
  /** URLs of what tells ads, in the syntax of Adblock Plus. */
  readonly adLists: readonly string[]
  readonly results: ResultsSettings
}

/** Check for `superRefine`: a store needs its keys. */
export function requireStoreKeys(env: Env, context: z.core.$RefinementCtx): void {
  if (!env.RESULTS_S3_ENDPOINT) return
  for (const name of ['RESULTS_S3_ACCESS_KEY_ID', 'RESULTS_S3_SECRET_ACCESS_KEY'] as const) {
    const message = 'Required with RESULTS_S3_ENDPOINT.'
    if (!env[name]) context.addIssue({ code: 'custom', path: [name], message })
  }
}

export function jobSettings(env: Env, dataDir: string): JobSettings {
  return {
    redisPrefix: env.REDIS_PREFIX,
    dataDir,
    concurrency: env.RENDER_CONCURRENCY ?? null,
    queueMax: env.RENDER_QUEUE_MAX,
    chromiumPath: env.CHROMIUM_PATH ?? null,
    chromiumSandbox: env.CHROMIUM_SANDBOX === undefined ? null : env.CHROMIUM_SANDBOX === 'on',
    rendererIdleMs: idleMs(env.RENDERER_IDLE_SECONDS),
    chromiumIdleMs: idleMs(env.CHROMIUM_IDLE_SECONDS),
    secretsKey: env.JOBS_KEY ?? null,
    adLists: env.AD_LISTS,
    results: {
      folder: join(dataDir, 'results'),
      maxBytes: env.RESULTS_MAX_MB * 1024 * 1024,
      s3: env.RESULTS_S3_ENDPOINT
        ? {
            endpoint: env.RESULTS_S3_ENDPOINT,
            region: env.RESULTS_S3_REGION,
            accessKeyId: env.RESULTS_S3_ACCESS_KEY_ID ?? '',
            secretAccessKey: env.RESULTS_S3_SECRET_ACCESS_KEY ?? '',
            prefix: env.RESULTS_S3_PREFIX,
          }
        : null,
    },
  }
}

/** 0 seconds mean that it never is idle. */
function idleMs(seconds: number): number | null {
  return seconds === 0 ? null : seconds * 1000
}
