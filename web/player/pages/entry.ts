import { html, type Markup } from '../../../lib/html.ts'
import { BRAND } from '../../ui/icons.ts'
import type { Visit } from '../http/visit.ts'
import { toDocument } from './document.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const WORDS = textsOf('web-player')

type Place = Pick<Visit, 'language' | 'assets' | 'guildId'>

/** A page of a few words, with what leads further. */
function entryPage(
  { language, assets }: Place,
  title: string,
  content: Markup,
  scripts: readonly string[] = [],
): string {
  const body = html`<header class="top">
      <span class="brand">${BRAND}<span>Bandstand</span></span>
    </header>
    <main id="main" tabindex="-1">
      <div class="entry">
        <h1>${title}</h1>
        ${content}
      </div>
    </main>`
  return toDocument({ language, title, body, assets, scripts })
}

/**
 * Sends the link's secret as a form, by itself where scripts run: programs that look at links use none up, and no other site
 * can sign a member in.
 */
export function enterPage(place: Place, token: string, csrf: string): string {
  const w = WORDS[place.language]
  const form = html`<p class="lead">${w.enterText}</p>
    <form class="form" method="post" action="/listen/${place.guildId}/enter" data-enter>
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="token" value="${token}" />
      <button class="button primary">${w.enter}</button>
    </form>`
  return entryPage(place, w.enterTitle, form, ['enter.js'])
}

/** The sign-in page, with the reason for a refusal. */
export function signInPage(place: Place, hasDiscord: boolean, why: 'refused' | 'notMember' | null): string {
  const w = WORDS[place.language]
  const content = html`${why && html`<p class="lead" role="alert">${w[why]}</p>`}
    <p class="lead">${w.signInText}</p>
    ${
      hasDiscord &&
      html`<p class="form"><a class="button primary" href="/listen/${place.guildId}/discord">${w.signInDiscord}</a></p>`
    }`
  return entryPage(place, w.signInTitle, content)
}

export function deadLinkPage(place: Place): string {
  const w = WORDS[place.language]
  return entryPage(place, w.deadTitle, html`<p class="lead">${w.deadText}</p>`)
}

export function missingPage(place: Place, message: string): string {
  return entryPage(place, WORDS[place.language].missing, html`<p class="lead" lang="en">${message}</p>`)
}
