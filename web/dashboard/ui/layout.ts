import { html, type Markup } from '../../../lib/html.ts'
import type { Assets } from '../../http/assets.ts'
import { documentOf } from '../../ui/document.ts'
import { placesOf } from '../http/navigation.ts'
import type { HtmlPage } from '../http/route.ts'
import type { PageRequest } from '../http/page-request.ts'
import { inlineForm } from './forms.ts'
import { shortcutsDialog } from '../../ui/shortcuts.ts'
import { BRAND, icon } from '../../ui/icons.ts'
import { nameOf, PAGE_LANGUAGES } from '../../../lib/texts/languages.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

/** The whole document round a page. */
export async function layout(request: PageRequest, page: HtmlPage, url: Assets['url']): Promise<string> {
  const { language, theme } = request
  const isBare = page.isBare || !request.account
  const head = isBare ? bareHead(request) : await navigation(request)
  return documentOf({
    language,
    theme,
    title: `${page.title} · Bandstand`,
    viewport: 'width=device-width, initial-scale=1',
    url,
    styles: ['style.css', ...(page.styles ?? [])],
    scripts: ['common.js', ...(isBare ? [] : ['palette.js']), ...(page.scripts ?? [])],
    look: isBare ? 'bare' : 'full',
    skip: COMMON[language].skip,
    body: html`${head}
      <main id="main" tabindex="-1">${page.body}</main>`,
  })
}

function bareHead(request: PageRequest): Markup {
  return html`<header class="top">
    <a class="brand" href="/dashboard">${BRAND}<span>Bandstand</span></a>
    ${looks(request)}
  </header>`
}

async function navigation(request: PageRequest): Promise<Markup> {
  const { context, account, params, language, path } = request
  const w = COMMON[language]
  const projects = account ? await context.memberships.projectsOf(account.id) : []
  // A page that is not there belongs to no route, but to the project that its address names.
  const current = projects.find(({ id }) => id === (params['projectId'] ?? path.split('/')[3]))
  return html`<header class="side">
    <div class="side-top">
      <a class="brand" href="/dashboard">${BRAND}<span>Bandstand</span></a>
      <button type="button" class="menu-button" data-menu aria-expanded="false" aria-controls="menu" hidden>
        ${icon('menu')}<span class="hidden">${w.menu}</span>
      </button>
    </div>
    <div class="side-menu" id="menu">
      <nav aria-label="${w.menu}">
        <a class="project" href="/dashboard/projects" ${current_(path === '/dashboard/projects')}
          ><span>${current?.name ?? w.allProjects}</span
          ><small>${current ? `${current.plan} · ${w.roles[current.role]}` : projects.length}</small></a
        >
        ${
          current &&
          html`<button type="button" class="find" data-palette hidden>
            ${icon('search')}<span>${w.palette.title}</span><kbd aria-hidden="true">Ctrl K</kbd>
          </button>`
        }
        ${current && places(request, `/dashboard/projects/${current.id}`)}
      </nav>
      <div class="side-end">
        <a href="/docs">${icon('book')}<span>${w.reference}</span></a>
        <a href="/dashboard/account" ${current_(path.startsWith('/dashboard/account'))}
          >${icon('person')}<span>${account?.name}</span></a
        >
        ${inlineForm(request, '/dashboard/sign-out', html`<button class="as-link">${icon('out')}<span>${w.signOut}</span></button>`)}
        ${looks(request, current !== undefined)}
      </div>
    </div>
    ${current && palette(language, `/dashboard/projects/${current.id}`)}
  </header>`
}

function places({ path, language }: PageRequest, base: string): Markup {
  return html`${placesOf(language, base).map(
    ({ group, name, places }) =>
      html`${name !== '' && html`<h2 class="group" id="group-${group}">${name}</h2>`}
        <ul ${name !== '' && { markup: `aria-labelledby="group-${group}"` }}>
          ${places.map(({ to, picture, label }) => {
            const isHere = path === to || (to !== base && path.startsWith(`${to}/`))
            return html`<li>
              <a href="${to}" ${current_(isHere)}>${icon(picture)}<span>${label}</span></a>
            </li>`
          })}
        </ul>`,
  )}`
}

/** The command palette and the list of shortcuts, which their script opens. */
function palette(language: PageRequest['language'], base: string): Markup {
  const w = COMMON[language].palette
  return html`<dialog id="palette" aria-label="${w.title}" data-search="${base}/search" data-none="${w.none}">
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        aria-label="${w.title}"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-autocomplete="list"
        placeholder="${w.hint}"
      />
      <ul id="palette-hits" role="listbox" aria-label="${w.title}"></ul>
      <p class="hidden" role="status"></p>
    </dialog>
    ${shortcutsDialog({ ...w, title: w.shortcuts }, [
      ['Ctrl K', w.open],
      ['/', w.filter],
      ['?', w.shortcuts],
      ['Esc', w.close],
    ])}`
}

function current_(isHere: boolean): Markup | false {
  return isHere && { markup: 'aria-current="page"' }
}

/** The switches for colours and language, which work without script, and the list of shortcuts. */
function looks(request: PageRequest, hasShortcuts = false): Markup {
  const { language, theme, path } = request
  const w = COMMON[language]
  // Without a choice of one's own, only the button that leads away from the system's colours is shown.
  const only = (name: string) => (theme === 'auto' ? name : '')
  const buttons = [
    theme !== 'light' && lookButton({ theme: 'light' }, w.toLight, icon('sun'), only('only-dark')),
    theme !== 'dark' && lookButton({ theme: 'dark' }, w.toDark, icon('moon'), only('only-light')),
    ...PAGE_LANGUAGES.filter((one) => one !== language).map(
      (other) =>
        html`<button class="as-link" name="language" value="${other}" lang="${other}">${nameOf(other)}</button>`,
    ),
    hasShortcuts && shortcutsButton(w.palette.shortcuts),
  ]
  const hidden = html`<input type="hidden" name="from" value="${path}" />`
  return html`<div class="looks">${inlineForm(request, '/dashboard/looks', [hidden, ...buttons])}</div>`
}

function shortcutsButton(label: string): Markup {
  return html`<button type="button" class="as-link" data-open-keys aria-label="${label}" title="${label}" hidden>
    ${icon('keyboard')}
  </button>`
}

function lookButton(
  chosen: Readonly<Record<string, string>>,
  label: string,
  content: Markup | string,
  className: string,
): Markup {
  const [[name, value] = ['', '']] = Object.entries(chosen)
  return html`<button
    class="as-link ${className}"
    name="${name}"
    value="${value}"
    aria-label="${label}"
    title="${label}"
  >
    ${content}
  </button>`
}
