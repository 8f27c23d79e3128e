import { DiscordSDK } from './sdk-index.js'
import { setProblem, words } from './page.js'
import { connectAs } from './connection.js'
import { start } from './player.js'

// Inside Discord: its app says who the member is, by a code that the service redeems.
const { base, client } = document.documentElement.dataset

async function enter() {
  const sdk = new DiscordSDK(client, { disableConsoleLogOverride: true })
  if (sdk.guildId === null) return setProblem(words.noGuild)
  await sdk.ready()
  const { code } = await sdk.commands.authorize({
    client_id: client,
    response_type: 'code',
    state: '',
    prompt: 'none',
    scope: ['identify'],
  })
  const response = await fetch(`${base}/listen/activity/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, guildId: sdk.guildId }),
  })
  if (response.status === 403) return setProblem(words.notMember)
  if (!response.ok) return setProblem(words.refused)
  const { session, accessToken } = await response.json()
  // Not awaited: the player needs nothing of what the app allows by it.
  sdk.commands.authenticate({ access_token: accessToken }).catch(() => setProblem(words.refused))
  connectAs({ guildId: sdk.guildId, secret: session })
  start()
}

enter().catch(() => setProblem(words.refused))
