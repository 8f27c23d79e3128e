import { z } from 'zod'
import { unplayable, type Fault } from '../../../../../lib/errors.ts'
import { readForm } from '../../../http/form.ts'
import { form, redirect, type Outcome, type PageRoute } from '../../../http/route.ts'
import { record, type ProjectRequest } from '../../../http/page-request.ts'
import { faultWords } from '../../../words/faults.ts'
import { guildNameOf, isByScript, refusalOf } from '../actions.ts'
import { playerScopeOf } from '../search.ts'
import { addPage } from './find.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

const StartForm = z.object({
  place: z.string().regex(/^\d{17,20}\.\d{17,20}\.\d{17,20}$/),
  query: z.string().trim().min(1).max(500),
})
const AddForm = z.object({
  encoded: z.string().min(1).max(20_000).exactOptional(),
  query: z.string().trim().min(1).max(500).exactOptional(),
  title: z.string().max(500).default(''),
  when: z.enum(['last', 'next', 'now']).default('last'),
})

/** Joins a channel and plays. */
export function startForm(path: string, show: (request: ProjectRequest, fault: Fault) => Promise<Outcome>): PageRoute {
  return form('manager', `${path}/start`, async (request) => {
    const { context, project } = request
    const { data } = readForm(StartForm, request)
    if (!data) return show(request, nothingSaid(request))
    const [botId = '', guildId = '', channelId = ''] = data.place.split('.')
    const scope = await playerScopeOf(request, botId)
    try {
      const { track } = await context.music.play(scope, guildId, { query: data.query, channelId })
      await record(request, 'player.play', guildNameOf(request, botId, guildId), { title: track.title })
    } catch (thrown) {
      return show(request, refusalOf(thrown))
    }
    return redirect(`/dashboard/projects/${project.id}/players/${botId}/${guildId}`)
  })
}

function nothingSaid({ language }: ProjectRequest): Fault {
  return unplayable(PLAYER[language].sayWhat)
}

/** Adds a search result to the end of the queue, to its front, or plays it now. */
export function addForm(path: string): PageRoute {
  return form('manager', `${path}/:botId/:guildId/add`, async (request) => {
    const { params, project } = request
    const { botId = '', guildId = '' } = params
    try {
      const said = await add(request, botId, guildId)
      if (isByScript(request)) return answer({ refused: null, said })
    } catch (thrown) {
      const fault = refusalOf(thrown)
      if (isByScript(request)) return answer({ refused: faultWords(request.language, fault).markup })
      return addPage(request, fault)
    }
    return redirect(`/dashboard/projects/${project.id}/players/${botId}/${guildId}`)
  })
}

async function add(request: ProjectRequest, botId: string, guildId: string): Promise<string> {
  const { context, language } = request
  const scope = await playerScopeOf(request, botId)
  const { data } = readForm(AddForm, request)
  if (!data || (data.encoded === undefined) === (data.query === undefined)) throw nothingSaid(request)
  const { title, ...wish } = data
  const { track, added, total } = await context.music.play(scope, guildId, wish)
  await record(request, 'player.add', guildNameOf(request, botId, guildId), { title: track.title })
  const w = PLAYER[language]
  if (total !== null && added < total) return w.addedPart({ count: added, total })
  if (added === 1) return w.added({ title: track.title })
  return title === '' ? w.addedMore({ title: track.title, count: added - 1 }) : w.added({ title })
}

function answer(body: object): Outcome {
  return { kind: 'file', contentType: 'application/json', body: JSON.stringify(body) }
}
