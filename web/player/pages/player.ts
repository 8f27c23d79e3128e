import { html, type Markup } from '../../../lib/html.ts'
import { queueSearchField } from '../../ui/queue-search.ts'
import { shortcutsDialog } from '../../ui/shortcuts.ts'
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
  readonly manifest?: string
}

/** Icons that scripts draw. */
const DRAWN = ['players', 'grip', 'cross', 'plus', 'play', 'pause', 'volume', 'muted', 'play-next', 'jump'] as const

/** The page of a player. It is the same for all members; what plays, and who they are, its script brings. */
export function playerPage(page: PlayerPage): string {
  const { language, guildName, canSignOut, ...parts } = page
  const w = WORDS[language]
  const body = html`<header class="top">
      <span class="brand">${BRAND}<span data-guild-name>${guildName}</span></span>
      <span class="top-end">
        <span class="who" data-me></span>
        <span class="chip good" data-live hidden>${w.live}</span>
        <button
          type="button"
          class="round small keys-only"
          data-open-keys
          aria-label="${w.keys.title}"
          title="${w.keys.title} (?)"
        >
          ?
        </button>
        ${
          canSignOut &&
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
      <div class="listen-grid now-open" data-grid data-tab="queue">
        <ul class="votes" data-votes aria-label="${w.vote}" hidden></ul>
        ${nowPlaying(w)}
        <div class="listen-side">${lists(w)}</div>
      </div>
      ${mini(w)} ${shortcuts(w)}
      <dialog class="stage" data-stage aria-label="${w.lyrics}">
        <div class="panel-head">
          <p data-stage-title></p>
          <button type="button" class="button small" data-close-stage>${w.close}</button>
        </div>
      </dialog>
      <p class="toast" role="status" data-toast></p>
      <p class="hidden" role="status" data-announce></p>
    </main>
    ${toData('words', { ...w, ...counts(w) })} ${toData('icons', iconsFor())}`
  return toDocument({ ...parts, language, title: w.title({ guild: guildName }), body })
}

/** Texts with a number for 1 and for 2: the script puts its own there. */
function counts(w: PlayerWords) {
  return {
    tracks: [1, 2].map((count) => w.tracks({ count })),
    results: [1, 2].map((count) => w.results({ count })),
  }
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
  return html`<section class="listen-now" id="now" aria-label="${w.page}">
    <div class="cover" data-cover>${icon('players')}</div>
    <div class="now-lines">
      <h2 data-title dir="auto">${w.connecting}</h2>
      <p class="lead" data-author dir="auto"></p>
      <p class="hint" data-detail></p>
    </div>
    <div class="note warn" data-silenced hidden>
      ${icon('warning')}
      <p></p>
    </div>
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
        <input
          type="range"
          min="0"
          max="200"
          step="5"
          value="100"
          aria-label="${w.volume}"
          list="loudness"
          data-volume
          disabled
        />
        <datalist id="loudness"><option value="100"></option></datalist>
        <output data-volume-text></output>
      </span>
      <span class="second-buttons">
        ${control('addFavourite', 'heart', w.keep, 'heart')}
        <button type="button" class="button small" data-do="autoplay" aria-pressed="false" disabled>
          ${w.autoplay}
        </button>
        ${control('stop', 'stop', w.stop)}
      </span>
    </div>
    <p class="hint" data-vote-hint hidden>${w.voteHint}</p>
    <ul class="listeners" data-listeners aria-label="${w.listeners}" hidden></ul>
  </section>`
}

/** What plays, on phones always in sight. */
function mini(w: PlayerWords): Markup {
  return html`<div class="mini" role="group" aria-label="${w.page}">
    <button type="button" class="mini-open" data-open-now aria-expanded="true" aria-controls="now">
      <span class="thumb" data-cover>${icon('players')}</span>
      <span class="names"><b data-title dir="auto">${w.connecting}</b><small data-author dir="auto"></small></span>
    </button>
    ${control('pause', 'pause', w.pause, 'main')}
    <button type="button" class="round mini-skip" data-do="skip" aria-label="${w.skip}" title="${w.skip}" disabled>
      ${icon('skip')}<span data-skip-words hidden>${w.voteSkip}</span>
    </button>
  </div>`
}

function shortcuts({ keys, close }: PlayerWords): Markup {
  return shortcutsDialog({ ...keys, close }, [
    [keys.space, keys.play],
    ['/', keys.search],
    ['← →', keys.seek],
    ['?', keys.list],
  ])
}

function search(w: PlayerWords): Markup {
  return html`<section class="listen-search" role="tabpanel" id="panel-search" aria-labelledby="tab-search">
    <form role="search" data-search>
      <label class="hidden" for="q">${w.search}</label>
      <input id="q" type="search" maxlength="500" placeholder="${w.search}" autocomplete="off" enterkeyhint="search" />
    </form>
    <p class="hint" data-search-state role="status"></p>
    <ul class="tracks" data-found aria-label="${w.found}" hidden></ul>
  </section>`
}

const TABS = {
  search: 'search',
  queue: 'menu',
  lyrics: 'microphone',
  history: 'history',
  favourites: 'heart',
} as const satisfies Readonly<Record<string, IconName>>

function lists(w: PlayerWords): Markup {
  const labels = { ...w, search: w.searchTab }
  const tabs = Object.entries(TABS).map(
    ([name, picture]) =>
      html`<button
        type="button"
        role="tab"
        id="tab-${name}"
        aria-controls="panel-${name}"
        aria-selected="${name === 'queue' ? 'true' : 'false'}"
        tabindex="${name === 'queue' ? 0 : -1}"
      >
        ${icon(picture)}<span>${labels[name as keyof typeof TABS]}</span>
      </button>`,
  )
  return html`${search(w)}
    <div class="tabs" role="tablist" aria-label="${w.page}">${tabs}</div>
    <div role="tabpanel" id="panel-queue" aria-labelledby="tab-queue">
      <div class="panel-head" data-queue-head hidden>
        <p class="hint">
          <span data-queue-sum></span>
          <span class="keys-only" id="move-hint">${w.moveHint}</span>
        </p>
        ${queueSearchField(w.findInQueue)}
        <button type="button" class="button small quiet" data-do="clear" disabled>${w.clear}</button>
      </div>
      <ol class="tracks rows" data-queue aria-label="${w.queue}" tabindex="-1"></ol>
      <ul class="tracks" data-suggestion hidden></ul>
      <p class="hint" data-queue-empty>${w.queueEmpty}</p>
    </div>
    <div role="tabpanel" id="panel-lyrics" aria-labelledby="tab-lyrics" hidden>
      <div class="panel-head">
        <button type="button" class="button small quiet" data-open-stage>
          ${icon('expand')}<span>${w.fullScreen}</span>
        </button>
      </div>
      <div class="lyrics" data-lines tabindex="0" role="region" aria-label="${w.lyrics}"></div>
    </div>
    <p class="hint past" aria-hidden="true">${w.history}</p>
    <div role="tabpanel" id="panel-history" aria-labelledby="tab-history" tabindex="0" hidden></div>
    <div role="tabpanel" id="panel-favourites" aria-labelledby="tab-favourites" tabindex="0" hidden></div>`
}
