import type { Readable } from 'node:stream'
import type { Markup } from '../../../lib/html.ts'
import type { GuildTarget, PeerAnswer } from '../../../lib/sharing/forwarding.ts'
import type { AccountRequest, ProjectRequest, PageRequest } from './page-request.ts'

/**
 * The access rule of a page. The last three need a project in the path as `:projectId`: the account must be a member
 * with at least that role; for everybody else the project does not exist.
 */
type Access = keyof VisitOf

interface VisitOf {
  readonly anyone: PageRequest
  readonly account: AccountRequest
  readonly operator: AccountRequest
  readonly viewer: ProjectRequest
  readonly manager: ProjectRequest
  readonly owner: ProjectRequest
}

export interface HtmlPage {
  readonly kind: 'page'
  readonly title: string
  readonly body: Markup
  readonly status?: number
  /** Scripts of `assets/` that this page needs beside the common one. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** Without the navigation: for those who are not in yet. */
  readonly isBare?: boolean
}

/** The answer to the browser. A redirect's address is always one of ours, unless it is marked as leading outside. */
export type Outcome =
  | HtmlPage
  | { readonly kind: 'redirect'; readonly to: string; readonly isOutside?: boolean }
  | {
      readonly kind: 'file'
      readonly contentType: string
      readonly body: string | Buffer | Readable
      /** The file name of a download; left out: the browser shows it. */
      readonly name?: string
      /** The browser may keep it, for its owner alone. */
      readonly isKept?: boolean
    }
  /** The answer of another service. */
  | { readonly kind: 'relayed'; readonly answer: PeerAnswer }

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  /** The player of the page: the service that runs it serves it. Left out: none. */
  readonly playerOf?: (request: PageRequest) => GuildTarget | null
  readonly run: (request: PageRequest) => Outcome | Promise<Outcome>
}

/** A page: it only shows. */
export function page<A extends Access>(
  access: A,
  path: string,
  show: (request: VisitOf[A]) => Outcome | Promise<Outcome>,
): PageRoute {
  return { method: 'GET', path, access, run: show as PageRoute['run'] }
}

/** The route of a form of ours; its token has been checked before `act` runs. */
export function form<A extends Access>(
  access: A,
  path: string,
  act: (request: VisitOf[A]) => Outcome | Promise<Outcome>,
): PageRoute {
  return { method: 'POST', path, access, run: act as PageRoute['run'] }
}

/** @param to an address under /dashboard; what follows `?done=` names one of the notices of that page. */
export function redirect(to: string): Outcome {
  return { kind: 'redirect', to }
}
