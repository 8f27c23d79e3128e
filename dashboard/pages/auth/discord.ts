import { createHash, randomBytes } from 'node:crypto'
import { html } from '../../../api/docs/html.ts'
import { Fault } from '../../../lib/errors.ts'
import type { DiscordPerson, DiscordSignIn } from '../../../upstream/discord/discord-oauth.ts'
import { page, redirect, type Outcome, type Page, type Route } from '../../http/route.ts'
import { browserOf, letIn, safeNext } from '../../auth/session.ts'
import { linkButton } from '../../ui/components.ts'
import { record, type PageRequest } from '../../http/page-request.ts'
import { belong, enterWith } from './links.ts'
import { ENTRY } from './words.ts'

const WAY_SECONDS = 600

/** To Discord and back. Nobody is let in whom no account knows and no link has invited. */
export const DISCORD: readonly Route[] = [
  page('anyone', '/dashboard/discord', leave),
  page('anyone', '/dashboard/discord/back', comeBack),
]

function leave(visit: PageRequest): Outcome {
  const { desk, query, account } = visit
  const discord = configured(visit)
  const verifier = randomBytes(32).toString('base64url')
  const state = desk.tickets.issue('oauth', browserOf(visit), {
    verifier,
    accountId: query.has('connect') ? (account?.id ?? null) : null,
    entry: query.get('token'),
    next: safeNext(query.get('next')),
  })
  visit.setCookie('oauth', state, WAY_SECONDS)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    kind: 'redirect',
    to: discord.authorizeUrl({ state, challenge, returnUrl: returnUrl(visit) }),
    isOutside: true,
  }
}

async function comeBack(visit: PageRequest): Promise<Outcome> {
  const { desk, query } = visit
  const discord = configured(visit)
  const state = query.get('state') ?? ''
  const way = visit.cookie('oauth') === state ? desk.tickets.take('oauth', browserOf(visit), state) : null
  visit.setCookie('oauth', null)
  const code = query.get('code')
  if (!way || code === null || code.length > 200) return refusedPage(visit)
  const person = await discord.identify({ code, verifier: way.verifier, returnUrl: returnUrl(visit) }).catch(refused)
  if (!person) return refusedPage(visit)
  if (way.accountId !== null) return connect(visit, way.accountId, person)
  const known = desk.accounts.findByDiscord(person.id)
  const link = way.entry === null ? null : desk.links.find(way.entry)
  if (known && link?.kind === 'invitation' && desk.links.use(link)) belong(visit, link, known)
  if (known) return letIn(visit, known, 'discord', way.next)
  if (link?.kind !== 'first' && link?.kind !== 'invitation') return unknownPage(visit)
  return enterWith(visit, link, { name: freeName(visit, person.name), discordId: person.id })
}

function connect(visit: PageRequest, accountId: string, person: DiscordPerson): Outcome {
  const { desk, account } = visit
  // Only who left for Discord may come back as the same.
  if (account?.id !== accountId) return refusedPage(visit)
  const other = desk.accounts.findByDiscord(person.id)
  if (other && other.id !== accountId) return redirect('/dashboard/account?done=discord-taken')
  desk.accounts.change(accountId, { discordId: person.id })
  record({ ...visit, account }, 'discord.connected', person.name)
  return redirect('/dashboard/account?done=discord')
}

function refused(error: unknown): null {
  if (error instanceof Fault && error.code === 'validation_error') return null
  throw error
}

function configured({ desk }: PageRequest): DiscordSignIn {
  if (!desk.discord) throw new Fault('not_found', 'There is no such page.')
  return desk.discord
}

function returnUrl({ desk }: PageRequest): string {
  return `${desk.baseUrl()}/dashboard/discord/back`
}

function freeName({ desk }: PageRequest, name: string): string {
  if (!desk.accounts.findByName(name)) return name
  return `${name.slice(0, 90)} ${randomBytes(3).toString('hex')}`
}

function refusedPage(visit: PageRequest): Page {
  const { discordRefused, signIn } = ENTRY[visit.language]
  return wordPage(visit, discordRefused, '', signIn)
}

function unknownPage(visit: PageRequest): Page {
  const { unknownTitle, unknownText, signIn } = ENTRY[visit.language]
  return wordPage(visit, unknownTitle, unknownText, signIn)
}

function wordPage(visit: PageRequest, title: string, text: string, back: string): Page {
  return {
    kind: 'page',
    title,
    isBare: true,
    status: 403,
    body: html`<div class="entry">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${linkButton(visit.account ? '/dashboard/account' : '/dashboard/sign-in', back)}
    </div>`,
  }
}
