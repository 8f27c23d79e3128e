import { html, type Markup } from '../../lib/html.ts'
import type { PageLanguage } from '../../lib/texts/languages.ts'
import type { App } from '../http/app-context.ts'
import { documentOf, DOCS_PATH, figure } from '../docs/reference/layout.ts'
import { REFERENCE } from '../docs/reference/words.ts'
import { BRAND } from '../../web/ui/icons.ts'

type Door = readonly [to: string, title: string, text: string]

/** The page at the root: where to go from here. */
export function homePage(
  { version, baseUrl }: Pick<App, 'version' | 'baseUrl'>,
  hasDashboard: boolean,
  language: PageLanguage,
): string {
  const w = REFERENCE[language].site
  const body = html`<h1 class="brand">${BRAND}Bandstand</h1>
    <p class="lead">${w.lead}</p>
    ${doors(language, hasDashboard)}
    ${figure(language, w.first, `curl ${baseUrl}/v1/status \\\n  -H 'Authorization: Bearer svc.…'`)}
    <p class="facts">
      ${w.version} ${version} · <a href="/openapi.json">${REFERENCE[language].document}</a> ·
      <a href="/v1/status">${w.status}</a>
    </p>`
  return siteDocument(language, 'Bandstand', body)
}

/** The page of an address that has none. */
export function missingPage(language: PageLanguage, hasDashboard: boolean): string {
  const w = REFERENCE[language].site
  const body = html`<a class="brand" href="/">${BRAND}Bandstand</a>
    <p class="status">404</p>
    <h1>${w.missing}</h1>
    <p class="lead">${w.missingLead}</p>
    ${doors(language, hasDashboard)}`
  return siteDocument(language, `${w.missing} · Bandstand`, body)
}

function doors(language: PageLanguage, hasDashboard: boolean): Markup {
  const w = REFERENCE[language].site
  const all: readonly Door[] = [
    ...(hasDashboard ? [['/dashboard', 'Dashboard', w.dashboard] as const] : []),
    [DOCS_PATH, REFERENCE[language].title, w.reference],
  ]
  return html`<ul class="doors">
    ${all.map(
      ([to, title, text]) =>
        html`<li>
          <a class="plain" href="${to}"><strong>${title}</strong><span>${text}</span></a>
        </li>`,
    )}
  </ul>`
}

function siteDocument(language: PageLanguage, title: string, body: Markup): string {
  return documentOf({ title, language, scripts: [] }, html`<main class="home">${body}</main>`)
}
