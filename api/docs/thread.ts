import { parentPort, workerData } from 'node:worker_threads'
import { describeApi } from '../openapi.ts'
import { routes } from '../routes/index.ts'
import type { Pages, Place } from './pages.ts'
import { renderReference, type ReferenceDocument } from './page.ts'

const document = describeApi(routes, workerData as Place)
const reference = renderReference(document as unknown as ReferenceDocument)
parentPort?.postMessage({ openapi: JSON.stringify(document), reference } satisfies Pages)
