import { Fault, unplayable, type FaultReason, type SourceReason } from '../../../lib/errors.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'

/** What YouTube says of a video that cannot be had, and what we say. Anything else is not the video's fault. */
const REASONS: readonly (readonly [complaint: RegExp, message: string, reason: SourceReason])[] = [
  [/Private video|(?:video|playlist) is private/i, 'This video is private.', 'private'],
  [/members-only|join this channel/i, 'This video is for members of its channel only.', 'private'],
  [
    /confirm your age|age-restricted|inappropriate for some/i,
    'YouTube shows this video only to people who have signed in as adults.',
    'age',
  ],
  [
    /available in your country|blocked it in your country|geo.?restrict/i,
    'YouTube does not show this video in this country.',
    'region',
  ],
  [/live event will begin|Premieres in|is offline/i, 'This has not begun yet.', 'unplayable'],
  [/Requested format is not available/i, 'YouTube gives this out in no form that can be played here.', 'unplayable'],
  [
    /playlist does not exist|playlist type is unviewable/i,
    'YouTube has no such playlist, or it is private.',
    'nothing_found',
  ],
  [
    /Video unavailable|has been removed|video is (?:not|no longer) available|unavailable$/i,
    'YouTube does not have this video any more.',
    'nothing_found',
  ],
  [
    /Unsupported URL|is not a valid URL|Incomplete YouTube ID/i,
    'YouTube has nothing at this address.',
    'nothing_found',
  ],
]

/** Some bot checks speak of unavailable videos too. */
const ROBOT = /not a bot|HTTP Error 429|status code 429/i

/** What libraries and yt-dlp say when a page or an answer is not what they know. */
const UNREADABLE = /Unexpected (?:token|end)|JSON|Unable to extract|Cannot read propert|not iterable/i

/** What is wrong with the video that was asked for, in our words; null where YouTube has something against us. */
export function refusalOf(complaint: string): Fault | null {
  if (ROBOT.test(complaint)) return null
  const [, message, reason] = REASONS.find(([pattern]) => pattern.test(complaint)) ?? []
  return message === undefined ? null : unplayable(message, reason)
}

export const LATE = 'YouTube did not answer in time; try again in a moment.'

/** What is wrong with us, and who can do something about it. */
export function failureOf(complaint: string, cause: unknown): Fault {
  if (ROBOT.test(complaint)) {
    const help = 'its operator can sign yt-dlp in with cookies'
    return unavailable(
      `YouTube refuses to answer this service, which it takes for a robot; ${help}.`,
      cause,
      'source_refused',
    )
  }
  const isAway =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|could not be (?:reached|looked up)|resolve host|Unable to download/i
  if (isAway.test(complaint)) return unavailable('YouTube could not be reached; try again later.', cause, 'unreachable')
  const reason = UNREADABLE.test(complaint) ? 'no_answer' : 'source_refused'
  return unavailable('YouTube refuses to answer this service for now; try again later.', cause, reason)
}

/** Of our own processes that ask; it says nothing of YouTube. */
export function crowded(): Fault {
  const cause = new UpstreamFailure({ kind: 'crowded', name: 'YouTube', host: 'www.youtube.com' })
  return unavailable('YouTube is being asked too much at once; try again in a moment.', cause)
}

export function unavailable(message: string, cause?: unknown, reason: FaultReason = 'no_answer'): Fault {
  return new Fault('service_unavailable', message, { cause, reason })
}
