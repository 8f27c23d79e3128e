import { ERRORS_PATH } from '../../http/problem.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { BRAND, icon } from '../../../web/ui/icons.ts'
import { REFERENCE } from './words.ts'

/** Contents of the reference: every route, by area. */
export interface Outline {
  readonly title: string
  readonly version: string
  readonly baseUrl: string
  readonly hasDashboard: boolean
  readonly tags: readonly { readonly name: string; readonly operations: readonly OutlineEntry[] }[]
}

interface OutlineEntry {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

interface ReferencePage {
  readonly title: string
  /** The operation or page that is shown, to be marked in the contents. */
  readonly here: string
  readonly language: PageLanguage
  readonly body: Markup
  readonly scripts?: readonly string[]
}

/** Paths of the pages and their files. */
export const DOCS_PATH = '/docs'
export const DOCS_FILES_PATH = '/docs/assets/'

/** A page of the reference, with the contents beside it. */
export function referencePage(outline: Outline, { title, here, language, body, scripts = [] }: ReferencePage): string {
  const w = REFERENCE[language]
  return documentOf(
    { title: `${title} · ${outline.title} ${w.title}`, language, scripts: ['search.js', ...scripts] },
    html`<a class="skip" href="#main">${w.skip}</a>
      <header class="top">
        <a class="brand" href="${DOCS_PATH}">${BRAND}${outline.title} <span>${w.title}</span></a>
        <div class="search" data-search data-nothing="${w.nothing}" data-kinds="${JSON.stringify(w.kinds)}">
          <input
            id="search"
            type="search"
            role="combobox"
            autocomplete="off"
            spellcheck="false"
            aria-label="${w.search}"
            aria-expanded="false"
            aria-controls="results"
            aria-autocomplete="list"
            placeholder="${w.searchHint}"
          />
          <kbd aria-hidden="true">/</kbd>
          <ul id="results" role="listbox" aria-label="${w.results}" hidden></ul>
          <p class="hidden" role="status" data-count></p>
        </div>
        <div class="top-end">
          <a class="to-contents" href="#contents">${w.contents}</a>
          ${outline.hasDashboard && html`<a class="to-dashboard" href="/dashboard">${w.dashboard}</a>`}
          <button type="button" id="theme" aria-label="${w.toDark}" data-light="${w.toLight}" data-dark="${w.toDark}">
            ${icon('moon')}${icon('sun')}
          </button>
        </div>
      </header>
      <div class="page">
        <main id="main" tabindex="-1">${body}</main>
        ${contents(outline, here, language)}
      </div>`,
  )
}

function contents({ tags }: Outline, here: string, language: PageLanguage): Markup {
  const w = REFERENCE[language]
  const link = (to: string, name: string, label: string) =>
    html`<li><a class="plain" href="${to}" ${current(here === name)}>${label}</a></li>`
  return html`<nav id="contents" aria-label="${w.contents}">
    <ul>
      ${link(DOCS_PATH, '', w.home)} ${link(`${DOCS_PATH}#plans`, '#plans', w.plans)}
      ${link(ERRORS_PATH, 'errors', w.errors)}
    </ul>
    ${tags.map(
      ({ name, operations }) =>
        html`<details ${operations.some(({ id }) => id === here) && { markup: 'open' }}>
          <summary><span lang="en">${name}</span> <small>${operations.length}</small></summary>
          <ul lang="en">
            ${operations.map(
              ({ id, method, summary }) =>
                html`<li>
                  <a href="${DOCS_PATH}/${id}" ${current(id === here)}
                    ><span class="method ${method}">${method}</span> <span>${summary}</span></a
                  >
                </li>`,
            )}
          </ul>
        </details>`,
    )}
    <ul>
      ${link(`${DOCS_PATH}/schemas`, 'schemas', w.schemas)}
    </ul>
  </nav>`
}

function current(isHere: boolean): Markup | false {
  return isHere && { markup: 'aria-current="page"' }
}

/** A whole document around some content; style, script and font come from this server. */
export function documentOf(
  {
    title,
    language,
    scripts,
  }: { readonly title: string; readonly language: string; readonly scripts: readonly string[] },
  body: Markup,
): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${title}" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="preload" href="${DOCS_FILES_PATH}geist.woff2" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${DOCS_FILES_PATH}style.css" />
        <script src="${DOCS_FILES_PATH}theme.js"></script>
        ${['page.js', ...scripts].map((name) => html`<script type="module" src="${DOCS_FILES_PATH}${name}"></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup
}

export function figure(language: PageLanguage, title: string, code: string): Markup {
  return html`<figure>
    <figcaption>${title}<button type="button" class="copy" data-copy>${REFERENCE[language].copy}</button></figcaption>
    <pre tabindex="0" lang="en"><code>${code}</code></pre>
  </figure>`
}
