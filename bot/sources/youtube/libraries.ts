import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { UpstreamContext } from '../../../upstream/http/client.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { HelperFailure, type Helper } from './helper-process.ts'
import type { LibraryWay, YoutubeRequest, YoutubeLibrary } from './helper/protocol.ts'
import { failureOf, LATE, refusalOf, unavailable } from './refusals.ts'
import { LONGEST_QUEUE } from '../../player/inputs.ts'
import { List, Playable, Video, type YouTubeClient } from './schemas.ts'

/** So that time is left for the next way to be asked; the helper's start is not YouTube's delay. */
const ANSWER_MS = 6000
/** Several ways to a video may have to be tried within eight seconds. SABR also takes a token and a player. */
const VIDEO_MS: Readonly<Record<LibraryWay, number>> = { visionos: 3500, sabr: 7000, ios: 3500, tv: 5000 }

/** `isLocal`: the helper serves the audio itself. */
const Offered = Playable.extend({ isLocal: z.boolean().nullish() })

/** YouTube through a library that runs in the helper. */
export function createLibraryClient(context: UpstreamContext, helper: Helper, name: YoutubeLibrary): YouTubeClient {
  const { log, metrics, now, closing } = context

  async function ask(question: YoutubeRequest, signal: AbortSignal): Promise<unknown> {
    const ending = AbortSignal.any([signal, closing])
    await helper.started(ending)
    const startedAtMs = now()
    const late = AbortSignal.timeout(question.task === 'video' ? VIDEO_MS[question.way] : ANSWER_MS)
    try {
      const answer = await helper.ask(name, question, AbortSignal.any([ending, late]))
      metrics.called(name, 'answered', now() - startedAtMs)
      return answer
    } catch (error) {
      signal.throwIfAborted()
      const refusal = error instanceof HelperFailure ? refusalOf(error.message) : null
      metrics.called(name, refusal ? 'absent' : 'broken', now() - startedAtMs)
      if (refusal) throw refusal
      log.warn({ upstream: name, task: question.task, err: error }, 'YouTube library failed')
      if (late.aborted) throw unavailable(LATE, error, 'unreachable')
      if (error instanceof Fault) throw error
      throw failureOf(error instanceof Error ? error.message : '', error)
    }
  }

  async function list(question: YoutubeRequest, signal: AbortSignal) {
    const found = List.safeParse(await ask(question, signal))
    if (!found.success) throw unavailable('YouTube returned an unreadable response. Try again later.')
    const { title, entries, playlist_count: total = null } = found.data
    return { title: title ?? 'YouTube', videos: usable(Video, entries), total }
  }

  const lists: YouTubeClient = {
    name,
    search: async (text, limit, signal) =>
      (await list({ task: 'search', text: text.replaceAll(/\p{Cc}+/gu, ' '), limit }, signal)).videos,
    list: (id, signal) => list({ task: 'list', id, limit: LONGEST_QUEUE }, signal),
  }
  if (name === 'play-dl') return lists
  return {
    ...lists,
    songs: async (text, limit, signal) =>
      (await list({ task: 'songs', text: text.replaceAll(/\p{Cc}+/gu, ' '), limit }, signal)).videos,
    async video(id, way) {
      const found = Offered.safeParse(await ask({ task: 'video', id, way: way as LibraryWay }, closing))
      if (!found.success) throw unavailable('YouTube returned an unreadable response. Try again later.')
      const { isLocal, ...video } = found.data
      return isLocal === true ? { ...video, operatorHost: helper.served.at } : video
    },
    async mix(id, limit, signal) {
      const { videos } = await list({ task: 'mix', id, limit: limit + 1 }, signal)
      return videos.filter((video) => video.id !== id).slice(0, limit)
    },
  }
}
