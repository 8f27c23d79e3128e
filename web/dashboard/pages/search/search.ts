import type { ProjectRequest } from '../../http/page-request.ts'
import { page, type Outcome, type PageRoute } from '../../http/route.ts'
import { placesOf } from '../../http/navigation.ts'
import { playersOf } from '../players/search.ts'
import { requestPath } from '../requests/address.ts'
import { keyLabel, shownPrefix } from '../../ui/components.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

export const SEARCH: readonly PageRoute[] = [page('viewer', '/dashboard/projects/:projectId/search', search)]

/** One line of the command palette. */
interface Hit {
  readonly title: string
  /** What kind of thing it is, and what tells it from others. */
  readonly more: string
  readonly to: string
}

const MOST_HITS = 25
const MOST_OF_A_KIND = 8
const LONGEST_QUERY = 100
const REQUEST_ID = /^[\w.:-]{8,128}$/

/** What the palette finds in a project: pages, keys, bots, players, and a request by its ID. */
async function search(request: ProjectRequest): Promise<Outcome> {
  const typed = (request.query.get('q') ?? '').trim().slice(0, LONGEST_QUERY)
  const q = typed.toLowerCase()
  const kinds = await Promise.all([
    pages(request),
    ...(q === '' ? [] : [keys(request), bots(request), players(request)]),
  ])
  const isFound = ({ title, more }: Hit) => `${title} ${more}`.toLowerCase().includes(q)
  const found = kinds.flatMap((hits) => hits.filter(isFound).slice(0, q === '' ? MOST_HITS : MOST_OF_A_KIND))
  const hits = [...(await requests(request, typed)), ...found].slice(0, MOST_HITS)
  return { kind: 'file', contentType: 'application/json; charset=utf-8', body: JSON.stringify({ hits }) }
}

const base = ({ project }: ProjectRequest) => `/dashboard/projects/${project.id}`

async function pages(request: ProjectRequest): Promise<readonly Hit[]> {
  const w = COMMON[request.language]
  const own = placesOf(request.language, base(request)).flatMap(({ name, places }) =>
    places.map(({ label, to }) => ({ title: label, more: name, to })),
  )
  const beside = [
    { title: w.allProjects, more: '', to: '/dashboard/projects' },
    { title: w.account, more: '', to: '/dashboard/account' },
    { title: w.reference, more: '', to: '/docs' },
  ]
  return [...own, ...beside]
}

async function keys(request: ProjectRequest): Promise<readonly Hit[]> {
  const all = await request.context.keys.list(request.project.id)
  const kind = COMMON[request.language].palette.key
  return all.map((key) => ({
    title: keyLabel(key),
    more: `${kind} · ${shownPrefix(key.prefix)}`,
    to: `${base(request)}/keys/${key.id}`,
  }))
}

async function bots(request: ProjectRequest): Promise<readonly Hit[]> {
  const all = await request.context.bots.list(request.project.id)
  const kind = COMMON[request.language].palette.bot
  return all.map(({ id, name }) => ({ title: name, more: `${kind} · ${id}`, to: `${base(request)}/bots/${id}` }))
}

async function players(request: ProjectRequest): Promise<readonly Hit[]> {
  const kind = COMMON[request.language].palette.player
  return (await playersOf(request)).map(({ guildName, info, address }) => ({
    title: guildName,
    more: [kind, info.current?.title].filter(Boolean).join(' · '),
    to: address,
  }))
}

async function requests({ context, project, language }: ProjectRequest, requestId: string): Promise<readonly Hit[]> {
  if (!REQUEST_ID.test(requestId)) return []
  const [found] = await context.requests.list({ projectId: project.id, requestId, limit: 1 })
  if (!found) return []
  const { method, route, path, status } = found
  const more = `${COMMON[language].palette.request} · ${status} · ${requestId}`
  return [{ title: `${method} ${route ?? path}`, more, to: requestPath(project.id, found.requestId) }]
}
