/** Permissions that playing needs, as Discord's bits. */
const PERMISSIONS =
  (1n << 10n) | // see channels
  (1n << 11n) | // write
  (1n << 14n) | // embed
  (1n << 15n) | // attach files
  (1n << 16n) | // read what was written, to find the own card again
  (1n << 20n) | // connect
  (1n << 21n) | // speak
  (1n << 32n) | // ask to speak on a stage
  (1n << 48n) // set the status of a voice channel

/** The page of Discord that asks for a server to add the bot to, with what playing needs already chosen. */
export function inviteUrl(botId: string): string {
  const query = new URLSearchParams({
    client_id: botId,
    scope: 'bot applications.commands',
    permissions: String(PERMISSIONS),
  })
  return `https://discord.com/oauth2/authorize?${query.toString()}`
}
