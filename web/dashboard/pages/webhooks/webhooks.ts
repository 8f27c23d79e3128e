import { form, page, type PageRoute } from '../../http/route.ts'
import { bulkPages } from '../bulk.ts'
import { recover, remove, sendTest, setState, WEBHOOK_BULK } from './actions.ts'
import { deliveryPage, redeliver } from './delivery.ts'
import { change, create, createPage, editPage } from './edit.ts'
import { PATH } from './webhook.ts'
import { listPage } from './list.ts'
import { removePage, rotate, rotatePage, secretPage } from './secret.ts'
import { hookPage } from './show.ts'

export const WEBHOOK_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, listPage),
  page('manager', `${PATH}/new`, (request) => createPage(request)),
  form('manager', `${PATH}/new`, create),
  page('viewer', `${PATH}/:webhookId`, hookPage),
  page('manager', `${PATH}/:webhookId/shown`, secretPage),
  page('manager', `${PATH}/:webhookId/edit`, (request) => editPage(request)),
  form('manager', `${PATH}/:webhookId/edit`, change),
  form('manager', `${PATH}/:webhookId/test`, sendTest),
  form('manager', `${PATH}/:webhookId/pause`, (request) => setState(request, 'paused')),
  form('manager', `${PATH}/:webhookId/resume`, (request) => setState(request, 'active')),
  form('manager', `${PATH}/:webhookId/recover`, recover),
  page('manager', `${PATH}/:webhookId/rotate`, (request) => rotatePage(request)),
  form('manager', `${PATH}/:webhookId/rotate`, rotate),
  page('manager', `${PATH}/:webhookId/remove`, removePage),
  form('manager', `${PATH}/:webhookId/remove`, remove),
  page('viewer', `${PATH}/:webhookId/deliveries/:deliveryId`, deliveryPage),
  form('manager', `${PATH}/:webhookId/deliveries/:deliveryId/redeliver`, redeliver),
  ...bulkPages(WEBHOOK_BULK),
]
