#!/usr/bin/env -S node --max-semi-space-size=8
import { writeFileSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import { describe, HELP, readOptions, UsageError, VERSION, type Options } from './cli/options.ts'
import { connectSandbox } from './client/client.ts'
import { startSandbox, type Sandbox } from './start.ts'
import { StartFailure } from './state.ts'
import { readWorld, WorldError } from './worlds/read.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const isJson = process.argv.includes('--json')

try {
  await main(readOptions(process.argv.slice(2)))
} catch (error) {
  const isExplained = [UsageError, WorldError, StartFailure].some((kind) => error instanceof kind)
  const message =
    error instanceof Error ? (isExplained ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(isJson ? `${JSON.stringify({ error: message })}\n` : `${message}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}

async function main(options: Options): Promise<void> {
  if (options.command === 'help') say(HELP)
  else if (options.command === 'version') say(VERSION)
  else if (options.command === 'check') check(options)
  else if (options.command === 'export') await exportTo(options)
  else await serve(options)
}

function check({ target }: Options): void {
  const { applications, guilds } = readWorld(target)
  const members = guilds.reduce((sum, guild) => sum + guild.members.length, 0)
  const facts = { applications: applications.length, guilds: guilds.length, members }
  say(isJson ? JSON.stringify({ ok: facts }) : `${target} is valid: ${describe(facts)}.`)
}

async function exportTo({ target }: Options): Promise<void> {
  const client = await connectSandbox(target).catch((error: Error) => {
    throw new StartFailure(error.message, { cause: error })
  })
  say(JSON.stringify(await client.exportWorld(), null, 2))
}

async function serve({ port, world, state, certificateFile, limits, freezeAtMs, logLevel }: Options): Promise<void> {
  const sandbox = await startSandbox({
    port,
    stateFile: state,
    limits,
    log: createLog(logLevel),
    ...(world === null ? {} : { world }),
  })
  if (freezeAtMs !== null) sandbox.clock.freeze(freezeAtMs)
  if (certificateFile !== null) writeFileSync(certificateFile, sandbox.certificate)
  greet(sandbox, { port, certificateFile })
  const stop = () => void sandbox.close()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}

/** To standard error, so that standard output has the greeting alone. */
function createLog(level: string): Logger {
  return pino({ level, base: { part: 'sandbox' } }, pino.destination(2))
}

function greet({ url, world }: Sandbox, { port, certificateFile }: Pick<Options, 'port' | 'certificateFile'>): void {
  const applications = [...world.applications.values()].map(({ id, name, token }) => ({ id, name, token }))
  const guilds = [...world.guilds.values()].map(({ id, name }) => ({ id, name }))
  const certificate = certificateFile ?? `${url}/sandbox/certificate.pem`
  if (isJson) return say(JSON.stringify({ ready: { url, api: `${url}/api`, certificate, applications, guilds } }))
  if (port !== 0 && !url.endsWith(`:${port}`)) say(`Port ${port} is taken, so the sandbox chose another.\n`)
  const bots = applications.map(({ name, token }) => `  ${name.padEnd(11)}${token}`).join('\n')
  say(`The sandbox is ready. Stop it with Ctrl-C.

  Page       ${url}/sandbox/
  Bots' API  ${url}/api
  Voice      bots must trust ${certificate} (NODE_EXTRA_CA_CERTS)

${bots === '' ? '  No bot yet: POST /sandbox/applications makes one.' : `Bots and their tokens:\n\n${bots}`}
`)
}
