interface ShownAddress {
  readonly host: string
  readonly port: string
  readonly isSecure: boolean
}

interface Snippets {
  readonly shown: ShownAddress
  readonly snippets: readonly { readonly client: string; readonly code: string }[]
}

/** Settings of this node for two common clients. docs/lavalink.md has whole bots. */
export function snippetsFor(baseUrl: string): Snippets {
  const { hostname, port: given, protocol } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  const port = given === '' ? (isSecure ? '443' : '80') : given
  return {
    shown: { host: hostname, port, isSecure },
    snippets: [
      { client: 'Shoukaku', code: shoukaku({ host: hostname, port, isSecure }) },
      { client: 'lavalink-client', code: lavalinkClient({ host: hostname, port, isSecure }) },
    ],
  }
}

function shoukaku({ host, port, isSecure }: ShownAddress): string {
  return `import { Connectors, Shoukaku } from 'shoukaku'

const node = { name: 'bandstand', url: '${host}:${port}', auth: process.env.BANDSTAND_KEY, secure: ${isSecure} }
const shoukaku = new Shoukaku(new Connectors.DiscordJS(client), [node])
shoukaku.on('error', (name, error) => console.error(name, error))
`
}

function lavalinkClient({ host, port, isSecure }: ShownAddress): string {
  return `import { LavalinkManager } from 'lavalink-client'

const lavalink = new LavalinkManager({
  nodes: [
    { id: 'bandstand', host: '${host}', port: ${port}, authorization: process.env.BANDSTAND_KEY, secure: ${isSecure} },
  ],
  sendToShard: (guildId, payload) => client.guilds.cache.get(guildId)?.shard.send(payload),
})
client.on('raw', (packet) => lavalink.sendRawData(packet))
client.once('clientReady', () => lavalink.init({ id: client.user.id, username: client.user.username }))
`
}
