import { html, type Markup } from '../../../../lib/html.ts'
import type { EncodedTrack } from '../../../../bot/tracks/track.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { icon } from '../../../ui/icons.ts'
import { artworkOf } from './artwork.ts'
import type { ShownPlayer } from './search.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/**
 * Cover, title and author of the current track, why autoplay chose it, and why the bot is silent where it is.
 * @param hints lines between the author and the reason.
 */
export function nowPlaying(
  request: ProjectRequest,
  place: ShownPlayer,
  current: EncodedTrack,
  hints: readonly (Markup | false | null)[] = [],
): Markup {
  const w = PLAYER[request.language]
  const { silenced, streamTitle, recommendation } = place.info
  const { title, author } = current
  return html`<div class="now">
      ${artworkOf(request, place, current)}
      <div class="now-words">
        <p class="now-title">${streamTitle ?? title}</p>
        <p class="lead">${streamTitle === null ? author : title}</p>
        ${hints}
        ${recommendation && html`<p class="hint">✨ ${reasonOf(w.autoplayReason[recommendation.because], recommendation.of ?? '')}</p>`}
      </div>
    </div>
    ${
      silenced !== null &&
      html`<div class="note warn">
        ${icon('warning')}
        <div>${w.silenced[silenced]}</div>
      </div>`
    }`
}

function reasonOf(text: string | ((gaps: { readonly name: string }) => string), name: string): string {
  return typeof text === 'string' ? text : text({ name })
}
