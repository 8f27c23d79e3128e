import { html, type Markup } from '../../lib/html.ts'

export interface PageDocument {
  readonly language: string
  readonly theme: string
  readonly title: string
  readonly viewport: string
  /** The URL of a file, by its name in `loadAssets`. */
  readonly url: (name: string) => string
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  /** Addresses of modules that the scripts load later, fetched at once. */
  readonly preloads?: readonly string[]
  /** More for the head. */
  readonly head?: Markup
  /** Attributes of the root, for scripts. */
  readonly data?: Readonly<Record<string, string>>
  readonly look: string
  /** The words of the link past the navigation. */
  readonly skip: string
  readonly body: Markup
}

/** The whole document round a page of the dashboard, or of the members' player. */
export function documentOf(page: PageDocument): string {
  const { url, styles, scripts, preloads = [], head, data = {} } = page
  const attributes = Object.entries(data).map(([name, value]) => html` data-${{ markup: name }}="${value}"`)
  return html`<!doctype html>
    <html lang="${page.language}" data-theme="${page.theme}" ${attributes}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="${page.viewport}" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        <link rel="icon" href="${url('icon.svg')}" type="image/svg+xml" />
        ${head}
        <link rel="preload" href="${url('geist.woff2')}" as="font" type="font/woff2" crossorigin />
        ${styles.map((name) => html`<link rel="stylesheet" href="${url(name)}" />`)}
        ${preloads.map((address) => html`<link rel="modulepreload" href="${address}" />`)}
        ${scripts.map((name) => html`<script type="module" src="${url(name)}"></script>`)}
      </head>
      <body class="${page.look}">
        <a class="skip" href="#main">${page.skip}</a>
        ${page.body}
      </body>
    </html>`.markup
}
