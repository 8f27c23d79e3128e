import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runAdmin } from '../../service/admin/program.ts'

export interface AdminRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Standard output as JSON. */
  readonly json: any
}

/** Runs one command line of the admin program in this process. */
export async function admin(
  args: readonly string[],
  options: { readonly dataDir: string; readonly stdin?: string; readonly env?: Readonly<Record<string, string>> },
): Promise<AdminRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const stdin = Readable.from([Buffer.from(options.stdin ?? '')])
  const read = Promise.all([text(stdout), text(stderr)])
  const code = await runAdmin(args, { DATA_DIR: options.dataDir, ...options.env }, { stdin, stdout, stderr })
  stdout.end()
  stderr.end()
  const [out, err] = await read
  const isJson = args.includes('--json') && out !== ''
  return { code, stdout: out, stderr: err, json: isJson ? JSON.parse(out) : undefined }
}

/** @returns what it prints as JSON. @throws {Error} with what it wrote to standard error when it fails */
export async function adminJson(args: readonly string[], options: Parameters<typeof admin>[1]): Promise<any> {
  const { code, json, stderr } = await admin([...args, '--json'], options)
  if (code !== 0) throw new Error(stderr)
  return json
}
