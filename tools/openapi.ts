// Prints the OpenAPI document, or with --lint holds it against the rules of redocly.yaml.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeApi } from '../api/docs/openapi.ts'
import { routes } from '../api/routes/index.ts'

const root = join(import.meta.dirname, '..')
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const text = `${JSON.stringify(describeApi(routes, { version, baseUrl: 'http://127.0.0.1:8080' }), null, 2)}\n`

if (process.argv.includes('--lint')) process.exitCode = lint(text)
else process.stdout.write(text)

function lint(document: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, document)
    const { status } = spawnSync(
      'redocly',
      ['lint', file, '--config', join(root, 'redocly.yaml'), '--format=stylish'],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
