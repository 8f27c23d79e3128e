import { createHash, randomBytes } from 'node:crypto'
import { html } from '../../../../lib/html.ts'
import { networkOf } from '../../../../api/http/client-address.ts'
import { Fault, nullOn } from '../../../../lib/errors.ts'
import type { DiscordPerson, DiscordSignIn } from '../../../../upstream/discord/discord-oauth.ts'
import type { SignInCaller } from '../../../../upstream/discord/sign-in-shares.ts'
import { page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { browserOf, letIn, safeNext } from '../../auth/session.ts'
import { linkButton } from '../../ui/components.ts'
import { record, type PageRequest } from '../../http/page-request.ts'
import { enterWith, joinByToken } from './links.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const ENTRY = textsOf('dashboard-auth')

const WAY_SECONDS = 600

/** Sign-in with Discord. Only known accounts and invited users are let in. */
export const DISCORD: readonly PageRoute[] = [
  page('anyone', '/dashboard/discord', leave),
  page('anyone', '/dashboard/discord/back', comeBack),
]

async function leave(request: PageRequest): Promise<Outcome> {
  const { context, query, account } = request
  const discord = configured(request)
  const verifier = randomBytes(32).toString('base64url')
  const way = {
    verifier,
    accountId: query.has('connect') ? (account?.id ?? null) : null,
    entry: query.get('token'),
    next: safeNext(query.get('next')),
  }
  const state = await context.tickets.issueShared('oauth', browserOf(request), way, callerOf(request).key)
  request.setCookie('oauth', state, WAY_SECONDS)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    kind: 'redirect',
    to: discord.authorizeUrl({ state, challenge, returnUrl: returnUrl(request) }),
    isOutside: true,
  }
}

async function comeBack(request: PageRequest): Promise<Outcome> {
  const { context, query } = request
  const discord = configured(request)
  const state = query.get('state') ?? ''
  const way = request.cookie('oauth') === state ? await context.tickets.take('oauth', browserOf(request), state) : null
  request.setCookie('oauth', null)
  const code = query.get('code')
  if (!way || code === null || code.length > 200) return refusedPage(request)
  const wish = { code, verifier: way.verifier, returnUrl: returnUrl(request) }
  const person = await discord.identify(wish, callerOf(request)).catch(nullOn('validation_error'))
  if (!person) return refusedPage(request)
  if (way.accountId !== null) return connect(request, way.accountId, person)
  const known = await context.accounts.findByDiscord(person.id)
  if (known) {
    // An account with a second factor joins only after it.
    if (!known.hasTotp) await joinByToken(request, way.entry, known)
    return letIn(request, known, 'discord', way)
  }
  const link = way.entry === null ? null : await context.links.find(way.entry)
  if (link?.kind !== 'first' && link?.kind !== 'invitation') return unknownPage(request)
  return enterWith(request, link, { name: await freeName(request, person.name), discordId: person.id })
}

async function connect(request: PageRequest, accountId: string, person: DiscordPerson): Promise<Outcome> {
  const { context, account } = request
  // Only the account that left for Discord may be connected.
  if (account?.id !== accountId) return refusedPage(request)
  const other = await context.accounts.findByDiscord(person.id)
  if (other && other.id !== accountId) return redirect('/dashboard/account?done=discord-taken')
  await context.accounts.change(accountId, { discordId: person.id })
  await record({ ...request, account }, 'discord.connected', person.name)
  return redirect('/dashboard/account?done=discord')
}

function callerOf({ account, address }: PageRequest): SignInCaller {
  return { key: account?.id ?? networkOf(address), isSignedIn: account !== null }
}

function configured({ context }: PageRequest): DiscordSignIn {
  if (!context.discord) throw new Fault('not_found', 'Page not found.')
  return context.discord
}

function returnUrl({ context }: PageRequest): string {
  return `${context.baseUrl()}/dashboard/discord/back`
}

async function freeName({ context }: PageRequest, name: string): Promise<string> {
  if (!(await context.accounts.findByName(name))) return name
  return `${name.slice(0, 90)} ${randomBytes(3).toString('hex')}`
}

function refusedPage(request: PageRequest): HtmlPage {
  const { discordRefused, signIn } = ENTRY[request.language]
  return wordPage(request, discordRefused, '', signIn)
}

function unknownPage(request: PageRequest): HtmlPage {
  const { unknownTitle, unknownText, signIn } = ENTRY[request.language]
  return wordPage(request, unknownTitle, unknownText, signIn)
}

function wordPage(request: PageRequest, title: string, text: string, back: string): HtmlPage {
  return {
    kind: 'page',
    title,
    isBare: true,
    status: 403,
    body: html`<div class="entry">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${linkButton(request.account ? '/dashboard/account' : '/dashboard/sign-in', back)}
    </div>`,
  }
}
