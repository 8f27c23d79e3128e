import { html, type Markup } from '../../../lib/html.ts'
import type { Assets } from '../../http/assets.ts'
import { documentOf } from '../../ui/document.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const WORDS = textsOf('web-player')

/** The colours of `--paper`, for what the browser draws around the page. */
export const PAPER = { light: '#faf8f4', dark: '#121412' } as const

interface Document {
  readonly language: Language
  readonly title: string
  readonly body: Markup
  readonly assets: Assets
  readonly scripts?: readonly string[]
  /** Modules that the scripts load later, fetched at once. */
  readonly preloads?: readonly string[]
  /** The address of the manifest, of a page that can be put on a home screen. */
  readonly manifest?: string
  /** Attributes of the root, for scripts. */
  readonly data?: Readonly<Record<string, string>>
}

/** The whole document round a page of members. */
export function toDocument({ assets, scripts = [], manifest, ...page }: Document): string {
  return documentOf({
    ...page,
    head: html`<meta name="theme-color" content="${PAPER.light}" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="${PAPER.dark}" media="(prefers-color-scheme: dark)" />
      ${
        manifest !== undefined &&
        html`<link rel="manifest" href="${manifest}" />
          <link rel="apple-touch-icon" href="${assets.url('icon-512.png')}" />`
      }`,
    theme: 'auto',
    viewport: 'width=device-width, initial-scale=1, viewport-fit=cover',
    url: (name) => assets.url(name),
    styles: ['style.css'],
    scripts,
    look: 'bare listen',
    skip: WORDS[page.language].skipToContent,
  })
}

/** Data for a script. Browsers do not run it, and nothing in it can end the element. */
export function toData(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
  return html`<script type="application/json" id="${id}">
    ${{ markup: json }}
  </script>`
}
