import { Fault, unplayable, type FaultReason, type SourceReason } from '../../../lib/errors.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'

/** YouTube's complaints about a video, and our messages. Anything else is not the video's fault. */
const REASONS: readonly (readonly [complaint: RegExp, message: string, reason: SourceReason])[] = [
  [/Private video|(?:video|playlist) is private/i, 'This video is private.', 'private'],
  [/members-only|join this channel/i, 'Only members of its channel can watch this video.', 'private'],
  [
    /confirm your age|age-restricted|inappropriate for some/i,
    'YouTube restricts this video to signed-in adults.',
    'age',
  ],
  [
    /available in your country|blocked it in your country|geo.?restrict/i,
    'YouTube blocks this video in this country.',
    'region',
  ],
  [/live event will begin|Premieres in|is offline/i, "This hasn't started yet.", 'unplayable'],
  [/Requested format is not available/i, 'YouTube provides this in no playable format.', 'unplayable'],
  [
    /playlist does not exist|playlist type is unviewable/i,
    "The playlist doesn't exist or is private.",
    'nothing_found',
  ],
  [
    /Video unavailable|has been removed|video is (?:not|no longer) available|unavailable$/i,
    'YouTube no longer has this video.',
    'nothing_found',
  ],
  [/Unsupported URL|is not a valid URL|Incomplete YouTube ID/i, 'YouTube has nothing at this URL.', 'nothing_found'],
]

/** Some bot checks speak of unavailable videos too. */
const ROBOT = /not a bot|HTTP Error 429|status code 429/i

/** Complaints of libraries and yt-dlp about a page or an answer that they do not know. */
const UNREADABLE = /Unexpected (?:token|end)|JSON|Unable to extract|Cannot read propert|not iterable/i

/** Returns what is wrong with the requested video, in our words; null if YouTube complains of something else. */
export function refusalOf(complaint: string): Fault | null {
  if (ROBOT.test(complaint)) return null
  const [, message, reason] = REASONS.find(([pattern]) => pattern.test(complaint)) ?? []
  return message === undefined ? null : unplayable(message, reason)
}

export const LATE = "YouTube didn't respond in time. Try again in a moment."

/** Returns what is wrong between YouTube and this service, and who can fix it. */
export function failureOf(complaint: string, cause: unknown): Fault {
  if (ROBOT.test(complaint)) {
    const help = 'the operator can set YTDLP_COOKIES_FILE'
    return unavailable(`YouTube blocks this service as a bot; ${help}.`, cause, 'source_refused')
  }
  const isAway =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|could not be (?:reached|looked up)|resolve host|Unable to download/i
  if (isAway.test(complaint)) return unavailable('YouTube is unreachable. Try again later.', cause, 'unreachable')
  const reason = UNREADABLE.test(complaint) ? 'no_answer' : 'source_refused'
  return unavailable('YouTube blocks this service for now. Try again later.', cause, reason)
}

/** Too many questions in our own processes; it says nothing of YouTube. */
export function crowded(): Fault {
  const cause = new UpstreamFailure({ kind: 'crowded', name: 'YouTube', host: 'www.youtube.com' })
  return unavailable('Too many concurrent requests to YouTube. Try again in a moment.', cause)
}

export function unavailable(message: string, cause?: unknown, reason: FaultReason = 'no_answer'): Fault {
  return new Fault('service_unavailable', message, { cause, reason })
}
