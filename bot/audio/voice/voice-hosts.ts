import { unprocessable } from '../../../lib/errors.ts'

/** Parent domains of all voice servers of Discord. */
const DISCORD_DOMAINS = ['discord.media', 'discord.gg']

/**
 * Lets connect to voice servers of Discord only: what a voice server says is heard by the thread of all players, and it
 * names the address that packets go to.
 * @param hosts others, each with or without its port.
 * @throws {Fault} where the endpoint is elsewhere.
 */
export function assertVoiceHost(endpoint: string, hosts: readonly string[]): void {
  const url = URL.parse(`wss://${endpoint}`)
  const isHost = url !== null && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  const isKnown = ({ hostname, host }: URL) =>
    hosts.includes(hostname) || hosts.includes(host) || DISCORD_DOMAINS.some((it) => hostname.endsWith(`.${it}`))
  if (isHost && isKnown(url)) return
  const message = "The voice endpoint must be the one in Discord's last VOICE_SERVER_UPDATE."
  throw unprocessable('invalid_address', message)
}
