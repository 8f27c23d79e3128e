// Makes schema.d.ts from the OpenAPI document, where it is not current: `npm run schema`.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientDocument, clientStamp } from '../../api/docs/client-document.ts'

const file = join(import.meta.dirname, 'schema.d.ts')
const stamp = clientStamp()
const isCurrent = existsSync(file) && readFileSync(file, 'utf8').startsWith(`${stamp}\n`)
if (!isCurrent) {
  const { default: generate, astToString } = await import('openapi-typescript')
  const types = astToString(await generate(clientDocument(), { immutable: true }))
  // Two may do this at the same time, and neither reads half a file.
  writeFileSync(`${file}.${process.pid}`, `${stamp}\n${types}`)
  renameSync(`${file}.${process.pid}`, file)
}
