import { Fault, unprocessable } from '../../../lib/errors.ts'

/** What YouTube says of a video that cannot be had, and what we say. Anything else is not the video's fault. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/Private video|(?:video|playlist) is private/i, 'This video is private.'],
  [/members-only|join this channel/i, 'This video is for members of its channel only.'],
  [
    /confirm your age|age-restricted|inappropriate for some/i,
    'YouTube shows this video only to people who have signed in as adults.',
  ],
  [
    /available in your country|blocked it in your country|geo.?restrict/i,
    'YouTube does not show this video in this country.',
  ],
  [/live event will begin|Premieres in|is offline/i, 'This has not begun yet.'],
  [/Requested format is not available/i, 'YouTube gives this out in no form that can be played here.'],
  [/playlist does not exist|playlist type is unviewable/i, 'YouTube has no such playlist, or it is private.'],
  [
    /Video unavailable|has been removed|video is (?:not|no longer) available|unavailable$/i,
    'YouTube does not have this video any more.',
  ],
  [/Unsupported URL|is not a valid URL|Incomplete YouTube ID/i, 'YouTube has nothing at this address.'],
]

/** Some bot checks speak of unavailable videos too. */
const ROBOT = /not a bot|HTTP Error 429|status code 429/i

/** What is wrong with the video that was asked for, in our words; null where YouTube has something against us. */
export function refusalOf(complaint: string, field: string): Fault | null {
  const reason = ROBOT.test(complaint) ? undefined : REASONS.find(([pattern]) => pattern.test(complaint))?.[1]
  return reason === undefined ? null : unprocessable(field, reason)
}

/** What is wrong with us, and who can do something about it. */
export function failureOf(complaint: string, cause: unknown): Fault {
  if (ROBOT.test(complaint)) {
    const help = 'whoever runs it can sign yt-dlp in with cookies'
    return unavailable(`YouTube refuses to answer this service, which it takes for a robot; ${help}.`, cause)
  }
  const isAway = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|could not be reached|resolve host|Unable to download/i
  const what = isAway.test(complaint) ? 'could not be reached' : 'refuses to answer this service for now'
  return unavailable(`YouTube ${what}; try again later.`, cause)
}

export function unavailable(message: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause })
}
