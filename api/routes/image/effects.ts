import { z } from 'zod'
import { type Effect, type EffectParams, EFFECTS, type WantedFormat } from 'bandstand-images'
import type { ImageInput } from '../../../jobs/images/images.ts'
import { BytesResponse } from '../../http/response.ts'
import type { App } from '../../http/app-context.ts'
import { invalidField } from '../../http/errors.ts'
import * as envelopes from '../../http/envelopes.ts'
import { route, type Route, type RouteRequest } from '../../http/route.ts'
import { releaseBuffer } from '../../../lib/buffers.ts'
import { webAddress, wholeNumber } from '../../../lib/validation/inputs.ts'

const LIMIT_BYTES = 10 * 1024 * 1024
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

const Image = z
  .object({
    contentType: z.enum(PICTURES),
    width: z.int(),
    height: z.int(),
    bytes: z.int().describe('Size of the image.'),
    image: z.string().describe('The image as a `data:` URL.'),
  })
  .meta({ id: 'Image' })

const EXAMPLE = {
  contentType: 'image/png',
  width: 1,
  height: 1,
  bytes: 70,
  image:
    'data:image/png;base64,' +
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
} as const

const common = {
  size: wholeNumber(16, 4096)
    .default(4096)
    .describe('Maximum length of the longer edge. The service shrinks larger images and enlarges none.'),
  format: z
    .enum(['png', 'jpeg', 'webp'] satisfies readonly WantedFormat[], { error: 'Must be `png`, `jpeg` or `webp`.' })
    .optional()
    .describe(
      'Defaults to `png`; animations stay GIF or WebP. As `png` or `jpeg`, an animation becomes one frame. In a JPEG, transparent parts are white.',
    ),
}

/** The two routes of every filter and every overlay: of a picture at a URL, and of one that is sent along. */
export const effectRoutes: readonly Route[] = Object.values(EFFECTS).flatMap((effects) =>
  effects.flatMap((effect) => [byUrl(effect), byUpload(effect)]),
)

/** All parameters of a filter or an overlay. */
export function queryOf(effect: Effect) {
  return z.object({
    url: webAddress('URL of the image: PNG, JPEG, WebP, AVIF or GIF.'),
    ...(effect.inputs === 2 && { url2: webAddress('URL of the second image.') }),
    ...effect.params.shape,
    ...common,
  })
}

function byUrl(effect: Effect): Route {
  return route(`${effect.kind}${pascal(effect.name)}`, `GET ${urlOf(effect)}`, {
    ...shared(effect),
    query: queryOf(effect),
    example: {
      query: {
        url: 'https://example.com/cat.png',
        ...(effect.inputs === 2 && { url2: 'https://example.com/dog.png' }),
      },
      data: EXAMPLE,
    },
    handle: (request, app) => apply(effect, request, app, async () => named(request.query)),
  })
}

function byUpload(effect: Effect): Route {
  return route(`${effect.kind}${pascal(effect.name)}Upload`, `POST ${urlOf(effect)}`, {
    ...shared(effect),
    summary: `${effect.summary} (upload)`,
    upload: true,
    query: z.object({
      ...(effect.inputs === 2 && {
        url2: webAddress('URL of the second image, unless the form has two files.').optional(),
      }),
      ...effect.params.shape,
      ...common,
    }),
    example: { data: EXAMPLE },
    handle: (request, app) => apply(effect, request, app, () => sent(effect, request)),
  })
}

function urlOf({ kind, name }: Effect) {
  return `/v1/image/${kind}s/${name}` as const
}

function shared(effect: Effect) {
  return {
    tag: 'Images',
    class: 'canvas',
    envelope: envelopes.success,
    summary: effect.summary,
    description:
      'At most 10 MiB, 40 megapixels and 200 frames. If `Accept` prefers `image/*`, the response is the image itself.',
    faults: ['service_unavailable'],
    produces: PICTURES,
    data: Image,
  } as const satisfies Partial<Route>
}

type Query = Readonly<Record<string, unknown>>
type EffectRequest = RouteRequest<unknown, unknown, unknown, 'canvas'>

async function apply(effect: Effect, request: EffectRequest, app: App, inputs: () => Promise<readonly ImageInput[]>) {
  const query = request.query as Query
  const { size, format } = query as { size: number; format?: WantedFormat }
  const names = Object.keys(effect.params.shape)
  const params: EffectParams = Object.fromEntries(names.map((name) => [name, query[name]]))
  const result = await app.images.apply({
    kind: effect.kind,
    effect: effect.name,
    params,
    format: format ?? null,
    size,
    owner: request.caller.projectId,
    inputs,
    signal: request.signal,
  })
  const contentType = `image/${result.format}` as const
  if (PICTURES.some((type) => type === request.accepts('application/json', ...PICTURES)))
    return new BytesResponse(contentType, result.data)
  const { width, height, data } = result
  const shown = { contentType, width, height, bytes: data.length }
  const image = `data:${contentType};base64,${data.toString('base64')}`
  releaseBuffer(data)
  return { ...shown, image }
}

function named(query: Query): ImageInput[] {
  return ['url', 'url2'].flatMap((name) =>
    typeof query[name] === 'string' ? [{ name: `query.${name}`, url: query[name] }] : [],
  )
}

async function sent({ inputs }: Effect, request: EffectRequest): Promise<readonly ImageInput[]> {
  const query = request.query as Query
  const byName = named({ url2: query['url2'] })
  const files = await request.files(LIMIT_BYTES, inputs - byName.length)
  const all = [...files.map((bytes) => ({ name: 'body', bytes })), ...byName]
  if (all.length === inputs) return all
  throw invalidField('query.url2', 'This needs two images. Send a form with two files, or `url2`.')
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
