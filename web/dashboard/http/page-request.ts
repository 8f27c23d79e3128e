import type { Account } from '../../../db/people/accounts.ts'
import type { OwnProject, Role } from '../../../db/people/memberships.ts'
import type { BrowserSession } from '../../../db/people/sessions.ts'
import type { CookieName } from '../../http/cookies.ts'
import type { DashboardContext } from './context.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** One request of a browser, and who it comes from. */
export interface PageRequest {
  readonly context: DashboardContext
  /** Without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The form that was sent; empty for a page. */
  readonly form: URLSearchParams
  readonly address: string
  readonly userAgent: string
  readonly language: PageLanguage
  readonly theme: Theme
  /** A token that every form of ours carries and no form of another site can know. */
  readonly csrf: string
  readonly account: Account | null
  readonly session: BrowserSession | null
  /** Sets a cookie that only the server reads; null removes it. */
  setCookie(name: CookieName, value: string | null, lifetimeSeconds?: number): void
  cookie(name: CookieName): string | null
}

/** A request with a session. */
export interface AccountRequest extends PageRequest {
  readonly account: Account
  readonly session: BrowserSession
}

/** A request to a project by one of its members. */
export interface ProjectRequest extends AccountRequest {
  readonly project: OwnProject
}

const RANK = { viewer: 0, manager: 1, owner: 2 } as const satisfies Record<Role, number>

/** Whether a role may do what another one may. */
export function isAtLeast(role: Role, wanted: Role): boolean {
  return RANK[role] >= RANK[wanted]
}

/** Whether who opened a page that stays open may still see it: signed in, and in the project with the same role. */
export async function isStillWelcome({ context, account, session, project }: ProjectRequest): Promise<boolean> {
  const isSignedIn = (await context.sessions.list(account.id)).some(({ id }) => id === session.id)
  return isSignedIn && (await context.memberships.role(project.id, account.id)) === project.role
}

/** Appends an action of the account to the audit log. */
export async function record(
  request: Pick<AccountRequest, 'account' | 'address' | 'context'> & { readonly project?: OwnProject },
  action: string,
  target: string,
  detail: Readonly<Record<string, string | number | boolean | null>> = {},
): Promise<void> {
  const { account, address, context, project } = request
  const who = { accountId: account.id, who: account.name, address }
  await context.audit.write({ projectId: project?.id ?? null, ...who, action, target, detail })
}
