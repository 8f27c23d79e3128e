// Builds dist/ of this folder, or of the copy that an argument names: ES modules and CommonJS, each with its types.
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const folder = process.argv[2] ?? import.meta.dirname
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

rmSync(join(folder, 'dist'), { recursive: true, force: true })
for (const [config, format, type] of [
  ['tsconfig.json', 'esm', 'module'],
  ['tsconfig.cjs.json', 'cjs', 'commonjs'],
] as const) {
  execFileSync(process.execPath, [tsc, '-p', join(folder, config)], { stdio: 'inherit' })
  const out = join(folder, 'dist', format)
  copyFileSync(join(folder, 'schema.d.ts'), join(out, 'schema.d.ts'))
  writeFileSync(join(out, 'package.json'), `{ "type": "${type}" }\n`)
}
