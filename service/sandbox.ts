import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { BotRecord } from '../db/projects/bots.ts'
import type { SandboxChild } from 'bandstand-sandbox'
import { childEnv } from '../lib/workers/child-process.ts'
import { awaitStep, type StepOptions } from '../lib/workers/startup.ts'
import type { Repositories } from '../db/repositories.ts'

/** The stand-in Discord, if enabled: `auto` enables it while no real bot is registered. */
export async function openSandbox(
  config: Config,
  stores: Repositories,
  { log, signal }: StepOptions,
): Promise<SandboxChild | null> {
  const { mode, port } = config.sandbox
  const hasRealBot = config.discord.token !== null || (await stores.bots.listAll()).some((bot) => !bot.sandbox)
  if (mode === 'off' || (mode === 'auto' && hasRealBot)) return null
  const options = {
    port,
    stateFile: join(config.dataDir, 'sandbox.json'),
    logLevel: config.log.level,
    env: childEnv(),
    activities: config.webPlayer.hasActivity,
    onExit: (code: number | null) => log.error({ code }, 'sandbox exited; restart the service'),
  }
  // Imported by its own entry: the package's first one has the whole stand-in, which runs in the child.
  const { forkSandbox } = await import('bandstand-sandbox/child')
  return awaitStep('The sandbox', (given) => forkSandbox(options, given), { log, signal })
}

/** Lets the service fetch what members of the sandbox send: its files are on this machine. */
export function withSandbox(config: Config, { url }: Pick<SandboxChild, 'url'>): Config {
  const allowHosts = [...config.egress.allowHosts, new URL(url).host]
  return { ...config, egress: { ...config.egress, allowHosts } }
}

/** The Discord (real or stand-in) where the bot was registered; null if that is not available. */
export function apiUrlOf({ discord }: Config, sandbox: SandboxChild | null, bot: BotRecord): string | null {
  if (discord.onlyBots && !discord.onlyBots.includes(bot.id)) return null
  if (bot.sandbox) return sandbox && `${sandbox.url}/api`
  return discord.apiUrl
}
