import { Fault } from '../../../lib/errors.ts'
import type { PageRoute } from '../http/route.ts'
import { isAtLeast, type AccountRequest, type ProjectRequest, type PageRequest } from '../http/page-request.ts'

/** A page for signed-in users was requested without a session. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/**
 * The request as its route requires it.
 * @throws {SignInNeeded}
 * @throws {Fault} `not_found` for the project of others, `forbidden` for a role that is too low.
 */
export async function admit(route: PageRoute, request: PageRequest): Promise<PageRequest> {
  const { access } = route
  const { context } = request
  if (access === 'anyone') return request
  if (!request.account || !request.session) throw new SignInNeeded('Sign in first.')
  const known = request as AccountRequest
  if (access === 'account') return known
  if (access === 'operator') {
    if (!known.account.isOperator) throw new Fault('not_found', 'Page not found.')
    return known
  }
  const project = await projectOf(known)
  await context.fleet.refresh((await context.bots.list(project.id)).map(({ id }) => id))
  if (!isAtLeast(project.role, access)) throw new Fault('forbidden', `This needs the role ${access}.`)
  const member: ProjectRequest = { ...known, project }
  return member
}

async function projectOf({ context, account, params }: AccountRequest): Promise<ProjectRequest['project']> {
  const { projectId = '' } = params
  const role = await context.memberships.role(projectId, account.id)
  if (!role) throw new Fault('not_found', 'Project not found.')
  return { ...(await context.projects.get(projectId)), role }
}
