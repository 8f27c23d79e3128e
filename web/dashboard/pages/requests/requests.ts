import { form, page, type PageRoute } from '../../http/route.ts'
import { switchBodies } from './bodies.ts'
import { listPage } from './list.ts'
import { openLive } from './live.ts'
import { findProject, requestPage } from './show.ts'

const PATH = '/dashboard/projects/:projectId/requests'

export const REQUEST_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, listPage),
  page('viewer', `${PATH}/live`, openLive),
  form('manager', `${PATH}/bodies`, switchBodies),
  page('viewer', `${PATH}/:requestId`, requestPage),
  // The `Link` of a refusal leads here; it names no project.
  page('account', '/dashboard/requests/:requestId', findProject),
]
