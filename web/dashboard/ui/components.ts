import { html, type Markup } from '../../../lib/html.ts'
import type { ApiKey } from '../../../db/projects/keys.ts'
import type { PageRequest } from '../http/page-request.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { icon, type IconName } from '../../ui/icons.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

/** Made once: a page formats thousands, and making one takes as long as a hundred uses. */
const FORMATS = { en: formats('en'), de: formats('de') } as const

function formats(language: PageLanguage) {
  const name = locale(language)
  return {
    minutes: new Intl.DateTimeFormat(name, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    // Events that are told to the second are some days old at most.
    seconds: new Intl.DateTimeFormat(name, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone: 'UTC',
    }),
    number: new Intl.NumberFormat(name),
    percent: new Intl.NumberFormat(name, { style: 'percent', maximumFractionDigits: 1 }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  }
}

type Content = Markup | string | false | null | readonly (Markup | false | null)[]

/** The top of a page: its title, a sentence, and the one thing that is done here most. */
export function head(
  title: string | Markup,
  options: { readonly lead?: Content; readonly action?: Content; readonly back?: { to: string; label: string } } = {},
): Markup {
  const { lead, action, back } = options
  return html`<header class="head">
    <div>
      ${back && html`<a class="back" href="${back.to}">${back.label}</a>`}
      <h1>${title}</h1>
      ${lead && html`<p class="lead">${lead}</p>`}
    </div>
    ${action && html`<div class="actions">${action}</div>`}
  </header>`
}

export function linkButton(to: string, label: string, options: { kind?: 'primary' | 'plain'; icon?: IconName } = {}) {
  return html`<a class="button ${options.kind ?? 'plain'}" href="${to}"
    >${options.icon && icon(options.icon)}<span>${label}</span></a
  >`
}

/**
 * Links below a list that is read page by page: to its newest rows, and to older ones. Empty if one page has all.
 * @param here the address of the newest rows.
 * @param at.before the cursor of this page, null on the first one; `next` is the cursor of the next, null on the last.
 */
export function pager(
  language: PageLanguage,
  here: string,
  { before, next }: { readonly before: string | number | null; readonly next: string | number | null },
): Markup | false {
  if (before === null && next === null) return false
  const w = COMMON[language]
  const older = `${here}${here.includes('?') ? '&' : '?'}before=${next}`
  return html`<p class="after actions">
    ${before !== null && linkButton(here, w.newest)} ${next !== null && linkButton(older, w.older)}
  </p>`
}

/** The filters in use, each a link to the list without it. Filters without a value are left out. */
export function filterTags(
  language: PageLanguage,
  used: readonly (readonly [label: string, value: string | Markup | number | undefined, without: string])[],
): Markup | false {
  const tags = used.flatMap(([label, value, without]) =>
    value === undefined
      ? []
      : html`<a class="tag" href="${without}"
          ><small>${label}</small> ${value} ${icon('cross')}<span class="hidden">${COMMON[language].without}</span></a
        >`,
  )
  return tags.length > 0 && html`<p class="tags">${tags}</p>`
}

/** A page or list without anything in it: what would be here, and how to make the first one. */
export function emptyState(picture: IconName, title: string, text: Content, action?: Content): Markup {
  return html`<div class="empty">
    <span class="empty-picture">${icon(picture)}</span>
    <h2>${title}</h2>
    <p>${text}</p>
    ${action}
  </div>`
}

export type Tone = 'good' | 'quiet' | 'warn' | 'bad'

/** A state as a short label, with a mark besides the colour. */
export function chip(tone: Tone, label: string): Markup {
  return html`<span class="chip ${tone}">${label}</span>`
}

/** A message after something was done, or before something that matters. */
export function note(tone: Tone, content: Content): Markup {
  const role = tone === 'bad' ? 'alert' : 'status'
  return html`<div class="note ${tone}" role="${role}">
    ${icon(tone === 'good' ? 'check' : 'warning')}
    <div>${content}</div>
  </div>`
}

/** The notice that a redirect named by `?done=`, with its count if it has one: only words of ours are ever shown. */
export function doneNote({ query }: PageRequest, notices: Readonly<Record<string, Notice>>): Markup | false {
  const name = query.get('done')
  if (name === null || !Object.hasOwn(notices, name)) return false
  const notice = notices[name] ?? ''
  return note('good', typeof notice === 'string' ? notice : notice({ count: Number(query.get('count')) || 1 }))
}

type Notice = string | ((gaps: { readonly count: number }) => string)

/** Text to copy, with a button for it. */
export function copyable(
  language: PageLanguage,
  label: string,
  text: string,
  options: { isSecret?: boolean } = {},
): Markup {
  const w = COMMON[language]
  return html`<figure class="copyable${options.isSecret && ' secret'}">
    <figcaption>
      <span>${label}</span>
      <button type="button" class="button small" data-copy data-done="${w.copied}" hidden>${w.copy}</button>
    </figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`
}

/**
 * An id, with a button beside it that copies it.
 * @param options.shown what stands there where that is not the whole of it.
 */
export function copyId(
  language: PageLanguage,
  kind: keyof (typeof COMMON)['en']['ids'],
  id: string,
  { shown = id }: { readonly shown?: string } = {},
): Markup {
  const w = COMMON[language]
  const name = w.copyOf({ label: w.ids[kind] })
  return html`<span class="id"
    ><code>${shown}</code
    ><button
      type="button"
      class="copy-id"
      data-copy="${id}"
      data-done="${w.copied}"
      aria-label="${name}"
      title="${name}"
    >
      ${icon('copy')}
    </button></span
  >`
}

/** The part of a key that is not secret. */
export function copyPrefix(language: PageLanguage, prefix: string): Markup {
  return copyId(language, 'prefix', `svc.${prefix}`, { shown: shownPrefix(prefix) })
}

export function shownPrefix(prefix: string): string {
  return `svc.${prefix}…`
}

/** The name of a key, or else the part that is not secret. */
export function keyLabel({ name, prefix }: Pick<ApiKey, 'name' | 'prefix'>): string {
  return name ?? shownPrefix(prefix)
}

const STEPS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]

function relative(language: PageLanguage, ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1000
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  return FORMATS[language].relative.format(Math.round(seconds / size), unit)
}

/** `3 hours ago`, with the whole date for those who point at it. The script turns that into the zone of the reader. */
export function ago({ language, context }: PageRequest, ms: number): Markup {
  const whole = new Date(ms).toISOString()
  return html`<time datetime="${whole}" title="${utc(language, ms)}">${relative(language, ms, context.now())}</time>`
}

/** Day and minute, or to the second. */
export function moment({ language }: PageRequest, ms: number, until: 'minutes' | 'seconds' = 'minutes'): Markup {
  return html`<time datetime="${new Date(ms).toISOString()}" data-moment="${until}">${utc(language, ms, until)}</time>`
}

function utc(language: PageLanguage, ms: number, until: 'minutes' | 'seconds' = 'minutes'): string {
  return `${FORMATS[language][until].format(ms)} UTC`
}

function locale(language: PageLanguage): string {
  return language === 'en' ? 'en-GB' : language
}

export function number(language: PageLanguage, value: number): string {
  return FORMATS[language].number.format(value)
}

/** `50%`, or `50 %` where the language writes it so. */
export function percent(language: PageLanguage, value: number): string {
  return FORMATS[language].percent.format(value / 100)
}
