import { html, inline, type Markup } from '../docs/html.ts'
import { page } from '../docs/page.ts'
import { OUTCOMES, PUBLIC_CODES } from '../http/errors.ts'
import { titleOf } from '../http/problem.ts'

/** What each error code means, with what to do: where the `type` of a problem leads. */
export function renderErrors(): string {
  const body = html`<main class="home">
    <h1>Errors</h1>
    <p class="lead">
      Every refusal has a <code>code</code>. Branch on it: messages are for people and may be reworded. With
      <code>Accept: application/problem+json</code> a refusal comes as RFC 9457 describes it.
    </p>
    ${PUBLIC_CODES.filter((code) => meaningsOf(code).length > 0).map(section)}
    <p><a href="/docs">API reference</a></p>
  </main>`
  return page('Errors', body)
}

function section(code: string): Markup {
  return html`<h2 id="${code}">${titleOf(code)}</h2>
    ${meaningsOf(code).map(({ status, meaning }) => html`<p><code>${code}</code>, ${String(status)}: ${inline(meaning)}</p>`)}`
}

function meaningsOf(code: string) {
  return Object.values(OUTCOMES).filter((outcome) => outcome.code === code)
}
