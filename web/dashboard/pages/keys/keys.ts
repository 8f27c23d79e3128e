import { form, page, type PageRoute } from '../../http/route.ts'
import { bulkPages } from '../bulk.ts'
import { KEY_BULK, revoke, revokePage, rotate, rotatePage } from './revoke.ts'
import { change, keyPage } from './key.ts'
import { listPage } from './list.ts'
import { create, createPage, shownPage } from './new.ts'

const PATH = '/dashboard/projects/:projectId/keys'

export const KEY_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, listPage),
  page('manager', `${PATH}/new`, (request) => createPage(request)),
  form('manager', `${PATH}/new`, create),
  page('viewer', `${PATH}/:keyId`, (request) => keyPage(request)),
  form('manager', `${PATH}/:keyId`, change),
  page('manager', `${PATH}/:keyId/shown`, shownPage),
  page('manager', `${PATH}/:keyId/rotate`, (request) => rotatePage(request)),
  form('manager', `${PATH}/:keyId/rotate`, rotate),
  page('manager', `${PATH}/:keyId/revoke`, revokePage),
  form('manager', `${PATH}/:keyId/revoke`, revoke),
  ...bulkPages(KEY_BULK),
]
