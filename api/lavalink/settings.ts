import { z } from 'zod'

/** Players of a key that states no number; more than an audio thread of one core plays. */
const DEFAULT_PLAYERS = 100
const MAX_PLAYERS = 100_000

/** Shorter secrets can be guessed. */
const SHORTEST_SECRET = 8
/** Required of AUDIO_NODE_PASSWORD, which grants access to addresses in the operator's network. */
const LONGER_SECRET = 16

/** `name:secret`, or `name:secret:players`. */
const NAMED_KEY = /^(?<name>[\w.-]{1,40}):(?<secret>[^\s:,]{8,200})(?::(?<players>\d{1,6}))?$/

/** A key whose name is its tenant: other keys can neither see nor change what it has created. */
export interface NamedKey {
  readonly name: string
  readonly secret: string
  /** Players at a time; null means LAVALINK_PLAYERS. */
  readonly players: number | null
  /** Marks a service of ours, which may run its own players here. */
  readonly isService?: true
}

/** Name of the key of LAVALINK_PASSWORD. */
const PASSWORD_KEY = 'default'
/** Name of the key of AUDIO_NODE_PASSWORD. */
const SERVICES_KEY = 'services'

const namedKeys = z.string().transform((text, context): readonly NamedKey[] => {
  const entries = text.split(',').map((entry) => entry.trim())
  const keys = entries.filter((entry) => entry !== '').map(toNamedKey)
  const read = keys.filter((key) => key !== null)
  if (read.length < keys.length) {
    const message = `Must be name:secret or name:secret:players, comma-separated. A secret needs ${SHORTEST_SECRET} characters or more, without : and comma.`
    context.addIssue({ code: 'custom', message })
  }
  for (const [name, setting] of RESERVED) {
    if (!read.some((key) => key.name === name)) continue
    context.addIssue({ code: 'custom', message: `The name ${name} is reserved for ${setting}.` })
  }
  for (const field of ['name', 'secret'] as const) {
    if (new Set(read.map((key) => key[field])).size < read.length) {
      context.addIssue({ code: 'custom', message: `Has the same ${field} twice.` })
    }
  }
  return read
})

const RESERVED = [
  [PASSWORD_KEY, 'LAVALINK_PASSWORD'],
  [SERVICES_KEY, 'AUDIO_NODE_PASSWORD'],
] as const

function toNamedKey(entry: string): NamedKey | null {
  const { name, secret, players } = NAMED_KEY.exec(entry)?.groups ?? {}
  if (name === undefined || secret === undefined) return null
  return { name, secret, players: players === undefined ? null : Number(players) }
}

const hosts = z.string().transform((text) =>
  text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== ''),
)

/** The variables of the Lavalink node; `.env.example` explains each. */
export const LAVALINK_ENV = {
  LAVALINK: z.enum(['on', 'off']).default('on'),
  LAVALINK_PORT: z.coerce.number().int().min(0).max(65_535).default(2333),
  LAVALINK_PASSWORD: z.string().min(SHORTEST_SECRET, `must have ${SHORTEST_SECRET} characters or more`).optional(),
  LAVALINK_KEYS: namedKeys.default([]),
  AUDIO_NODE_PASSWORD: z.string().min(LONGER_SECRET, `must have ${LONGER_SECRET} characters or more`).optional(),
  LAVALINK_SERVICE_KEYS: z.enum(['on', 'off']).default('off'),
  LAVALINK_VOICE_HOSTS: hosts.default([]),
  LAVALINK_PLAYERS: z.coerce.number().int().min(1).max(MAX_PLAYERS).default(DEFAULT_PLAYERS),
}

type Env = z.output<z.ZodObject<typeof LAVALINK_ENV>>

export type LavalinkSettings = ReturnType<typeof lavalinkSettings>

export function lavalinkSettings(env: Env) {
  const { LAVALINK_PASSWORD: password } = env
  const { AUDIO_NODE_PASSWORD: audioPassword } = env
  const own = password === undefined ? [] : [{ name: PASSWORD_KEY, secret: password, players: null }]
  const services =
    audioPassword === undefined
      ? []
      : [{ name: SERVICES_KEY, secret: audioPassword, players: null, isService: true as const }]
  return {
    /** Whether the service answers `/v4`. */
    isOn: env.LAVALINK === 'on',
    /** This and the following settings apply to the standalone process only. */
    port: env.LAVALINK_PORT,
    keys: [...own, ...env.LAVALINK_KEYS, ...services] as readonly NamedKey[],
    takesServiceKeys: env.LAVALINK_SERVICE_KEYS === 'on',
    playersPerKey: env.LAVALINK_PLAYERS,
    /** Voice servers beside those of Discord. */
    voiceHosts: env.LAVALINK_VOICE_HOSTS,
  } as const
}
