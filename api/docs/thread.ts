import { eachPageLanguage } from '../../lib/texts/languages.ts'
import { parentPort, workerData } from 'node:worker_threads'
import type { ApiDocument } from '../mcp/input-schema.ts'
import { toolsOf } from '../mcp/tools.ts'
import { routes } from '../routes/index.ts'
import { operationsOf, schemasWithin, type Placed, type ReferenceDocument } from './document.ts'
import { describeApi } from './openapi.ts'
import type { Pages, ServiceFacts } from './pages.ts'
import { errorsPage, indexPage, schemasPage } from './reference/index-page.ts'
import type { Outline } from './reference/layout.ts'
import type { OperationData } from './reference/operation-page.ts'
import { searchIndex } from './reference/search-index.ts'

const { version, baseUrl, hasDashboard } = workerData as ServiceFacts
const document = describeApi(routes, { version, baseUrl }) as unknown as ReferenceDocument
const placed = operationsOf(document)
const outline: Outline = {
  title: document.info.title,
  version,
  baseUrl,
  hasDashboard,
  tags: document.tags.map(({ name }) => ({ name, operations: placed.filter(isTagged(name)).map(entryOf) })),
}
const pages: Pages = {
  openapi: JSON.stringify(document),
  search: searchIndex(document),
  outline,
  index: eachPageLanguage((language) => indexPage(document, outline, language)),
  errors: eachPageLanguage((language) => errorsPage(outline, language)),
  schemas: eachPageLanguage((language) => schemasPage(document, outline, language)),
  operations: new Map(placed.map((one) => [one.operation.operationId, JSON.stringify(dataOf(one))])),
  tools: toolsOf(routes, document as unknown as ApiDocument),
}
parentPort?.postMessage(pages)

function isTagged(name: string) {
  return ({ operation }: Placed): boolean => operation.tags.includes(name)
}

function entryOf({ method, path, operation }: Placed) {
  return { id: operation.operationId, method, path, summary: operation.summary }
}

function dataOf(one: Placed): OperationData {
  return { ...one, schemas: schemasWithin(one.operation, document.components.schemas) }
}
