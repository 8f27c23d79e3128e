import { z } from 'zod'

const Application = z.object({ id: z.string(), token: z.string() })
const Channel = z.object({ id: z.string(), type: z.string() })
const Guild = z.object({ id: z.string(), channels: z.array(Channel), ownerId: z.string() })
export type Guild = z.infer<typeof Guild>

const VoiceView = z.object({ channelId: z.string(), connected: z.boolean() }).nullable()

const Hearing = z.object({ decrypted: z.number(), failed: z.number(), clear: z.number(), silence: z.number() })
const Packets = z.object({
  packets: z.number(),
  lost: z.number(),
  gapMs: z.object({ median: z.number(), p99: z.number(), longest: z.number() }),
})

const TIMEOUT_MS = 15_000

/** The controls of a stand-in Discord, by HTTP, so that it may be another process. */
export type Sandbox = Awaited<ReturnType<typeof connectSandbox>>

/** @throws {Error} when it does not answer. */
export async function connectSandbox(url: string) {
  const base = new URL(url).origin
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`The sandbox answered ${method} ${path} with ${response.status}: ${text}`)
    return text === '' ? null : (JSON.parse(text) as unknown)
  }
  const guilds = '/sandbox/guilds'
  const pem = await fetch(`${base}/sandbox/certificate.pem`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!pem.ok) throw new Error(`${base} is no sandbox: it has no certificate.`)
  return {
    url: base,
    /** PEM, of its voice server. */
    certificate: await pem.text(),
    async createBot() {
      return Application.parse(await call('POST', '/sandbox/applications', { name: 'Conformance', guildIds: [] }))
    },
    async createGuild(botId: string) {
      const body = { name: 'Conformance', voiceChannels: 2, textChannels: 0, members: 1, applications: [botId] }
      return Guild.parse(await call('POST', guilds, body))
    },
    deleteGuild: async (guildId: string) => void (await call('DELETE', `${guilds}/${guildId}`)),
    /** A member with a voice client of their own enters a channel. */
    async enter(guild: Guild, channelId: string) {
      await call('POST', `${guilds}/${guild.id}/members/${guild.ownerId}/join`, { channelId, client: true })
      return guild.ownerId
    },
    move: async (guildId: string, userId: string, channelId: string) =>
      void (await call('POST', `${guilds}/${guildId}/members/${userId}/move`, { channelId })),
    setVoiceAway: async (guildId: string, voiceAway: boolean) =>
      void (await call('PATCH', `${guilds}/${guildId}`, { voiceAway })),
    closeVoiceSocket: async (guildId: string, userId: string, code: number) =>
      void (await call('POST', `${guilds}/${guildId}/members/${userId}/voice-socket`, { code })),
    /** Whether the voice client of a member is connected; null where they are not in voice at all. */
    async voice(guildId: string, userId: string) {
      return VoiceView.parse(await call('GET', `${guilds}/${guildId}/members/${userId}/voice`))
    },
    async hearing(guildId: string, userId: string) {
      return Hearing.parse(await call('GET', `${guilds}/${guildId}/members/${userId}/hearing`))
    },
    async packets(guildId: string, userId: string, reset: boolean) {
      return Packets.parse(await call('GET', `${guilds}/${guildId}/members/${userId}/packets?reset=${reset}`))
    },
    async gatewayUrl() {
      return z.object({ url: z.string() }).parse(await call('GET', '/api/v10/gateway')).url
    },
    /** An endless Ogg Opus stream of a channel's sound. */
    async listen(guildId: string, channelId: string, signal: AbortSignal) {
      const response = await fetch(`${base}${guilds}/${guildId}/channels/${channelId}/listen.ogg`, { signal })
      if (!response.ok || !response.body) throw new Error(`The sandbox does not let us listen: ${response.status}`)
      return response.body
    },
  }
}
