import { POSES, type Pose } from 'bandstand-figures/poses'
import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { FigureOrder } from '../../../jobs/queue/job-service.ts'
import type { BlockPlayer } from '../../../upstream/blockgame/players.ts'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { text, webAddress, wholeNumber } from '../../../lib/validation/inputs.ts'
import { queuedStatus, QueuedStatus } from '../../schemas/jobs.ts'

/** Poses beyond those of the specification. */
const EXTRAS = ['face', 'bust'] as const satisfies readonly Pose[]
const SPECIFIED = POSES.filter((pose) => !EXTRAS.some((extra) => extra === pose))
const WRONG_POSE = `Must be one of ${SPECIFIED.join(', ')}. Extras of this service: ${EXTRAS.join(', ')}.`

export const renderBlockPlayer = route('renderBlockPlayer', 'GET /v1/blockgame/render/{player}', {
  tag: 'Block game',
  class: 'browser',
  envelope: envelopes.success,
  status: 202,
  invalid: 'bad_request',
  summary: 'Queue a render of a player',
  description:
    'Returns a job immediately. `GET /v1/jobs/{id}` returns its state, `/wait` waits for its end, and `/result` ' +
    'returns the PNG. Equal requests within one minute share a job.',
  faults: ['not_found', 'upstream_failed', 'service_unavailable'],
  path: z.object({
    player: text(1, 64).describe(
      'Account name, UUID, Xbox account number, or gamertag with a dot before it; with `skinUrl`, any label.',
    ),
  }),
  query: z.object({
    render: z.enum([...SPECIFIED, ...EXTRAS], { error: WRONG_POSE }).default('wave'),
    scale: wholeNumber(1, 4).default(1).describe('Multiplies width and height.'),
    skinUrl: webAddress('URL of a skin to draw, without a player lookup.').optional(),
    capeUrl: webAddress("URL of a cape to draw instead of the player's cape.").optional(),
  }),
  data: z
    .object({
      jobId: z.string(),
      status: QueuedStatus,
      name: z.string().describe('The player or label of the render.'),
    })
    .meta({ id: 'RenderJob' }),
  example: {
    path: { player: 'Some_Player' },
    query: { render: 'wave', scale: '2' },
    data: { jobId: 'job_8wQeRt2YuI4oPaSd6fGhJk', status: 'pending', name: 'Some_Player' },
  },
  async handle({ path, query, caller }, { jobs, blockPlayers }) {
    const { render, scale, skinUrl, capeUrl } = query
    const player = skinUrl === undefined ? await blockPlayers.find(path.player, FIND) : null
    const dress: Dress = player ? wornBy(player) : { skin: { url: skinUrl ?? '' }, model: null, capeUrl: null }
    const name = player?.name ?? path.player
    const request = { ...dress, render, scale, ...(capeUrl !== undefined && { capeUrl }) }
    const named = { ...(skinUrl && { 'query.skinUrl': skinUrl }), ...(capeUrl && { 'query.capeUrl': capeUrl }) }
    const job = await jobs.figure(caller.projectId, { name, request, named })
    return { jobId: job.id, status: queuedStatus(job), name }
  },
})

const FIND = { invalid: 'bad_request', failing: 'upstream_failed' } as const

type Dress = Pick<FigureOrder['request'], 'skin' | 'model' | 'capeUrl'>

/** @throws {Fault} `not_found` for a player of whom no skin is known. */
function wornBy({ name, skin, cape, defaultSkin }: BlockPlayer): Dress {
  const capeUrl = cape?.url ?? null
  if (skin) return { skin: { url: skin.url }, model: skin.model, capeUrl }
  if (!defaultSkin) throw new Fault('not_found', `${name} has no stored skin.`)
  return { skin: { byDefault: defaultSkin }, model: null, capeUrl }
}
