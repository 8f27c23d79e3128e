import { parentPort, workerData } from 'node:worker_threads'
import type { ApiDocument } from '../mcp/input-schema.ts'
import { toolsOf } from '../mcp/tools.ts'
import { describeApi } from './openapi.ts'
import { routes } from '../routes/index.ts'
import { callsOf } from './code-samples.ts'
import type { Pages, Place } from './pages.ts'
import { renderReference, type ReferenceDocument } from './page.ts'

const place = workerData as Place
const document = describeApi(routes, place) as unknown as ReferenceDocument
const reference = renderReference(document, place.hasDashboard)
const tools = toolsOf(routes, document as unknown as ApiDocument)
const pages: Pages = { openapi: JSON.stringify(document), reference, calls: callsOf(document), tools }
parentPort?.postMessage(pages)
