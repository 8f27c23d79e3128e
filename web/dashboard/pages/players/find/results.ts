import { html, type Markup } from '../../../../../lib/html.ts'
import type { DashboardContext } from '../../../http/context.ts'
import type { FoundEncodedTrack } from '../../../../../bot/find-tracks.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'
import { icon, type IconName } from '../../../../ui/icons.ts'
import { coverPath } from '../../../../http/cover-path.ts'
import { clock } from '../chapters.ts'
import type { ShownPlayer } from '../search.ts'
import type { TrackSearch } from './wanted.ts'
import { plainQuery } from '../../../../../lib/music/plain-query.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** The form field that makes a row play its result. */
interface Offer {
  readonly name: 'encoded' | 'query'
  readonly value: string
  readonly title: string
}

/** Tracks with their actions; a link, or a query without results, can be played as it is. */
export function trackResults(
  request: ProjectRequest,
  place: ShownPlayer,
  { q, tracks }: { readonly q: string; readonly tracks: readonly FoundEncodedTrack[] },
): Markup {
  const w = PLAYER[request.language]
  if (/^https?:\/\//iu.test(plainQuery(q))) {
    return html`<ul class="tracks results">
      <li>
        <span class="names"><b>${w.playUrl}</b><small>${q}</small></span>
        ${offerForm(request, place, { name: 'query', value: q, title: q })}
      </li>
    </ul>`
  }
  if (tracks.length === 0) return html`<p class="hint">${w.noResults}</p>`
  const rows = tracks.map(
    ({ title, author, lengthMs, isStream, encoded, source, artworkUrl }) =>
      html`<li>
        ${cover(request, artworkUrl)}
        <span class="names"><b>${title}</b><small>${author} · ${source}</small></span>
        <small class="length">${isStream ? w.stream : clock(lengthMs)}</small>
        ${offerForm(request, place, { name: 'encoded', value: encoded, title })}
      </li>`,
  )
  return html`<ul class="tracks results" data-count="${tracks.length}">
    ${rows}
  </ul>`
}

type Lists = Awaited<ReturnType<DashboardContext['music']['lists']>>

interface FoundLists {
  readonly wanted: TrackSearch
  readonly lists: Lists
  /** There may be more of them. */
  readonly isFull: boolean
}

/** Albums, artists, playlists and podcasts. */
export function listResults(
  request: ProjectRequest,
  place: ShownPlayer,
  { wanted, lists, isFull }: FoundLists,
): Markup {
  const w = PLAYER[request.language]
  if (lists.length === 0) return html`<p class="hint">${w.noResults}</p>`
  const rows = lists.map(({ kind, title, author, trackCount, uri, artworkUrl, source }) => {
    const detail = [author, trackCount === null ? null : w.tracks({ count: trackCount }), source].filter(
      (it) => it !== null,
    )
    const albums = kind === 'artist' && addressWith(place, { kind: 'album', artist: title, source })
    return html`<li>
      ${cover(request, artworkUrl)}
      <span class="names"
        ><b
          >${albums ? html`<a href="${albums}" data-browse aria-label="${w.albumsOf({ name: title })}">${title}</a>` : title}</b
        ><small>${detail.join(' · ')}</small></span
      >
      ${offerForm(request, place, { name: 'query', value: uri, title })}
    </li>`
  })
  return html`<ul class="tracks results" data-count="${lists.length}">
      ${rows}
    </ul>
    ${pager(request, place, { wanted, lists, isFull })}`
}

/** Each source counts its own, so that only one of them can be paged through. */
function pager({ language }: ProjectRequest, place: ShownPlayer, { wanted, lists, isFull }: FoundLists): Markup | null {
  const w = PLAYER[language]
  const { source, offset } = wanted
  if (source === '') return null
  const step = lists.length
  return html`<nav class="pager" aria-label="${w.results}">
    ${offset > 0 && html`<a class="button small" data-browse href="${addressWith(place, { ...wanted, offset: Math.max(0, offset - 50) })}">${w.earlier}</a>`}
    ${isFull && html`<a class="button small" data-browse href="${addressWith(place, { ...wanted, offset: offset + step })}">${w.later}</a>`}
  </nav>`
}

function addressWith({ address }: ShownPlayer, values: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== '' && value !== 0) query.set(name, String(value))
  return `${address}/add?${query.toString()}`
}

/** Only covers that we serve ourselves: other results are many, and seldom chosen. */
function cover({ context }: ProjectRequest, artworkUrl: string | null): Markup {
  const path = artworkUrl === null ? null : coverPath(artworkUrl, context.baseUrl())
  if (path === null) return html`<span class="thumb">${icon('players')}</span>`
  return html`<img class="thumb" src="${path}?size=small" alt="" width="36" height="36" loading="lazy" />`
}

function offerForm(request: ProjectRequest, { address }: ShownPlayer, { name, value, title }: Offer): Markup {
  const w = PLAYER[request.language]
  const button = (when: string, picture: IconName, label: string) => {
    const said = w.addOf({ action: label, title })
    return html`<button class="round" name="when" value="${when}" aria-label="${said}" title="${label}">
      ${icon(picture)}
    </button>`
  }
  return html`<form method="post" action="${address}/add" class="row-actions" data-offer>
    <input type="hidden" name="csrf" value="${request.csrf}" />
    <input type="hidden" name="${name}" value="${value}" /><input type="hidden" name="title" value="${title}" />
    ${button('last', 'plus', w.addLast)} ${button('next', 'play-next', w.addNext)} ${button('now', 'play', w.addNow)}
  </form>`
}
