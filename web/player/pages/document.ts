import { html, type Markup } from '../../../api/docs/html.ts'
import type { Assets } from '../../dashboard/http/assets.ts'
import type { Language } from '../../../bot/commands/i18n/languages.ts'
import { WORDS } from '../words/index.ts'

interface Document {
  readonly language: Language
  readonly title: string
  readonly body: Markup
  readonly assets: Assets
  readonly scripts?: readonly string[]
  /** Modules that the scripts load later, fetched at once. */
  readonly preloads?: readonly string[]
  /** Attributes of the root, for scripts. */
  readonly data?: Readonly<Record<string, string>>
}

/** The whole document round a page of members. */
export function toDocument({
  language,
  title,
  body,
  assets,
  scripts = [],
  preloads = [],
  data = {},
}: Document): string {
  const attributes = Object.entries(data).map(([name, value]) => html` data-${{ markup: name }}="${value}"`)
  return html`<!doctype html>
    <html lang="${language}" data-theme="auto" ${attributes}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${assets.url('icon.svg')}" type="image/svg+xml" />
        <link rel="preload" href="${assets.url('geist.woff2')}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${assets.url('style.css')}" />
        <link rel="stylesheet" href="${assets.url('player.css')}" />
        ${preloads.map((url) => html`<link rel="modulepreload" href="${url}" />`)}
        ${scripts.map((name) => html`<script type="module" src="${assets.url(name)}"></script>`)}
      </head>
      <body class="bare listen">
        <a class="skip" href="#main">${WORDS[language].skipToContent}</a>
        ${body}
      </body>
    </html>`.markup
}

/** Data for a script. Browsers do not run it, and nothing in it can end the element. */
export function toData(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
  return html`<script type="application/json" id="${id}">
    ${{ markup: json }}
  </script>`
}
