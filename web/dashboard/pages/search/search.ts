import type { ProjectRequest } from '../../http/page-request.ts'
import { page, type Outcome, type PageRoute } from '../../http/route.ts'
import { placesOf } from '../../http/navigation.ts'
import { playersOf, type ShownPlayer } from '../players/search.ts'
import { requestPath } from '../requests/address.ts'
import { keyLabel, shownPrefix } from '../../ui/components.ts'
import { settingsHits, type Hit } from './settings.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

export const SEARCH: readonly PageRoute[] = [page('viewer', '/dashboard/projects/:projectId/search', search)]

const MOST_HITS = 25
const MOST_OF_A_KIND = 8
const LONGEST_QUERY = 100
const REQUEST_ID = /^[\w.:-]{8,128}$/

/** What the palette finds in a project: pages, keys, bots, players, single settings, and a request by its ID. */
async function search(request: ProjectRequest): Promise<Outcome> {
  const typed = (request.query.get('q') ?? '').trim().slice(0, LONGEST_QUERY)
  const words = typed.toLowerCase().split(/\s+/)
  const isEmpty = typed === ''
  const isFound = ({ title, more }: Hit) => words.every((word) => `${title} ${more}`.toLowerCase().includes(word))
  // A setting isn't found by the name of its key or server alone.
  const isNamed = ({ title }: Hit) => words.some((word) => title.toLowerCase().includes(word))
  const playing = isEmpty ? [] : await playersOf(request)
  const settings = isEmpty ? [] : (await settingsHits(request, base(request), playing)).filter(isNamed)
  const named = isEmpty ? [] : [await keys(request), await bots(request), players(request, playing)]
  const found = [pages(request), ...named, settings].flatMap((hits) =>
    hits.filter(isFound).slice(0, isEmpty ? MOST_HITS : MOST_OF_A_KIND),
  )
  const hits = [...(await requests(request, typed)), ...found].slice(0, MOST_HITS)
  return { kind: 'file', contentType: 'application/json; charset=utf-8', body: JSON.stringify({ hits }) }
}

const base = ({ project }: ProjectRequest) => `/dashboard/projects/${project.id}`

function pages(request: ProjectRequest): readonly Hit[] {
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

function players({ language }: ProjectRequest, playing: readonly ShownPlayer[]): readonly Hit[] {
  const kind = COMMON[language].palette.player
  return playing.map(({ guildName, info, address }) => ({
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
