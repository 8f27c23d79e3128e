import { html, type Markup } from '../../../lib/html.ts'
import { BRAND, icon, type IconName } from '../../ui/icons.ts'
import type { Assets } from '../../http/assets.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { toData, toDocument } from './document.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const WORDS = textsOf('web-player')

type PlayerWords = (typeof WORDS)[Language]

interface PlayerPage {
  readonly language: Language
  readonly guildName: string
  readonly assets: Assets
  /** Start values of the script: its address and member. */
  readonly data: Readonly<Record<string, string>>
  readonly scripts: readonly string[]
  readonly preloads?: readonly string[]
  readonly canSignOut: boolean
}

/** Icons that scripts draw. */
const DRAWN = ['players', 'grip', 'cross', 'plus', 'play', 'pause', 'volume', 'muted', 'play-next'] as const

/** The page of a player. It is the same for all members; what plays, and who they are, its script brings. */
export function playerPage(page: PlayerPage): string {
  const { language, guildName, assets, data, scripts, preloads = [] } = page
  const w = WORDS[language]
  const body = html`<header class="top">
      <span class="brand">${BRAND}<span data-guild-name>${guildName}</span></span>
      <span class="top-end">
        <span class="chip good" data-live hidden>${w.live}</span>
        <span class="who" data-me></span>
        ${
          page.canSignOut &&
          html`<button type="button" class="button small quiet" data-sign-out>
            ${icon('out')}<span>${w.signOut}</span>
          </button>`
        }
      </span>
    </header>
    <main id="main" tabindex="-1" data-player aria-busy="true">
      <h1 class="hidden">${w.title({ guild: guildName })}</h1>
      <div class="note warn" data-problem role="alert" hidden>
        ${icon('warning')}
        <p data-problem-text></p>
      </div>
      <div class="listen-grid">
        ${nowPlaying(w)}
        <div class="listen-side">${search(w)} ${lists(w)}</div>
      </div>
      <p class="toast" role="status" data-toast></p>
      <p class="hidden" role="status" data-announce></p>
    </main>
    ${toData('words', { ...w, title: undefined })} ${toData('icons', iconsFor())}`
  return toDocument({ language, title: w.title({ guild: guildName }), body, assets, scripts, preloads, data })
}

function iconsFor(): Readonly<Record<string, string>> {
  return Object.fromEntries(DRAWN.map((name) => [name, icon(name).markup]))
}

function control(action: string, picture: IconName, label: string, look = ''): Markup {
  return html`<button
    type="button"
    class="round ${look}"
    data-do="${action}"
    aria-label="${label}"
    title="${label}"
    disabled
  >
    ${icon(picture)}
  </button>`
}

function nowPlaying(w: PlayerWords): Markup {
  return html`<section class="listen-now" aria-label="${w.page}">
    <div class="cover" data-cover>${icon('players')}</div>
    <div class="now-lines">
      <h2 data-title>${w.connecting}</h2>
      <p class="lead" data-author></p>
      <p class="hint" data-detail></p>
    </div>
    <div class="note warn" data-silenced hidden>
      ${icon('warning')}
      <p></p>
    </div>
    <ul class="votes" data-votes aria-label="${w.vote}" hidden></ul>
    <div class="seek" data-seek hidden>
      <input type="range" min="0" max="1" step="1" value="0" aria-label="${w.position}" data-position disabled />
      <span class="times"><span data-at>0:00</span><span data-length>0:00</span></span>
    </div>
    <div class="transport" role="group" aria-label="${w.controls}">
      ${control('shuffle', 'shuffle', w.shuffle)} ${control('previous', 'previous', w.previous)}
      ${control('pause', 'pause', w.pause, 'main')} ${control('skip', 'skip', w.skip)}
      ${control('loop', 'loop', w.loop.off)}
    </div>
    <div class="second-row">
      <span class="volume-control">
        ${control('mute', 'volume', w.mute)}
        <input type="range" min="0" max="200" step="5" value="100" aria-label="${w.volume}" data-volume disabled />
        <output data-volume-text></output>
      </span>
      <span class="second-buttons">
        ${control('addFavourite', 'heart', w.keep)}
        <button type="button" class="button small" data-do="autoplay" aria-pressed="false" disabled>
          ${w.autoplay}
        </button>
        ${control('stop', 'stop', w.stop)}
      </span>
    </div>
  </section>`
}

function search(w: PlayerWords): Markup {
  return html`<section class="listen-search">
    <form role="search" data-search>
      <label class="hidden" for="q">${w.search}</label>
      <input id="q" type="search" maxlength="500" placeholder="${w.search}" autocomplete="off" enterkeyhint="search" />
    </form>
    <p class="hint" data-search-state role="status"></p>
    <ul class="tracks" data-found aria-label="${w.found}" hidden></ul>
  </section>`
}

const TABS = ['queue', 'lyrics', 'history', 'favourites'] as const

function lists(w: PlayerWords): Markup {
  const tabs = TABS.map(
    (name, at) =>
      html`<button
        type="button"
        role="tab"
        id="tab-${name}"
        aria-controls="panel-${name}"
        aria-selected="${at === 0 ? 'true' : 'false'}"
        tabindex="${at === 0 ? 0 : -1}"
      >
        ${w[name]}
      </button>`,
  )
  return html`<section class="listen-lists">
    <div class="tabs" role="tablist" aria-label="${w.page}">${tabs}</div>
    <div role="tabpanel" id="panel-queue" aria-labelledby="tab-queue" tabindex="0">
      <div class="panel-head" data-queue-head hidden>
        <p class="hint" id="move-hint" data-move-hint>${w.moveHint}</p>
        <button type="button" class="button small quiet" data-do="clear" disabled>${w.clear}</button>
      </div>
      <ol class="tracks" data-queue aria-label="${w.queue}"></ol>
      <p class="hint" data-queue-more></p>
    </div>
    <div role="tabpanel" id="panel-lyrics" aria-labelledby="tab-lyrics" tabindex="0" class="lyrics" hidden></div>
    <div role="tabpanel" id="panel-history" aria-labelledby="tab-history" tabindex="0" hidden></div>
    <div role="tabpanel" id="panel-favourites" aria-labelledby="tab-favourites" tabindex="0" hidden></div>
  </section>`
}
