import { ApplicationFlags, REST, Routes, type APIApplication } from 'discord.js'
import { makeRequest, type GatewayOptions } from './gateway.ts'

const TIMEOUT_MS = 5000

/**
 * Whether the bot's owner has switched on the intent Message Content in Discord's portal, so that it may be asked for: a
 * login that asks for an intent which was not granted is refused. False if Discord cannot be asked.
 */
export async function mayReadMessages(token: string, { apiUrl, log }: GatewayOptions): Promise<boolean> {
  const rest = new REST({ api: apiUrl, timeout: TIMEOUT_MS, retries: 0, makeRequest }).setToken(token)
  try {
    const { flags } = (await rest.get(Routes.currentApplication())) as APIApplication
    // Limited: granted without a review, to an application in less than a hundred guilds.
    return (flags & (ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited)) !== 0
  } catch (err) {
    log.debug({ err }, 'reading granted intents failed')
    return false
  }
}
