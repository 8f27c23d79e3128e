import { startStandIn, type Reply, type StandIn } from './stand-in.ts'

export const SKIN_HASH = '5a'.repeat(32)
export const CAPE_HASH = 'c4'.repeat(32)
export const IDS = {
  slim: '11112222333344445555666677778888',
  plain: '99990000aaaabbbbccccddddeeeeffff',
  evil: '0badc0de0badc0de0badc0de0badc0de',
  garbled: '0badc0de0badc0de0badc0de0badc0df',
} as const

const texturesOf = (textures: object): string =>
  Buffer.from(JSON.stringify({ timestamp: 1_795_000_000_000, textures })).toString('base64')

const at = (hash: string) => ({ url: `http://textures.minecraft.net/texture/${hash}` })
const slim = { SKIN: { ...at(SKIN_HASH), metadata: { model: 'slim' } }, CAPE: at(CAPE_HASH) }

const ACCOUNTS: ReadonlyMap<string, { readonly id: string; readonly name: string; readonly value: string }> = new Map(
  [
    // Without the padding at its end, as some write base64.
    { id: IDS.slim, name: 'Slim_Jane', value: texturesOf(slim).replace(/=+$/, '') },
    { id: IDS.plain, name: 'PlainJoe', value: texturesOf({}) },
    { id: IDS.evil, name: 'Evil', value: texturesOf({ SKIN: { url: 'http://169.254.169.254/latest/meta-data' } }) },
    { id: IDS.garbled, name: 'Garbled', value: '%%%not base64%%%' },
    { id: '2222'.repeat(8), name: '2533274790395904', value: texturesOf({}) },
  ].map((account) => [account.name.toLowerCase(), account]),
)

export interface Mojang extends StandIn {
  /** Answers the next request instead of the usual. */
  next: Reply | null
  /** Failure of the newer look-up of names, if any. */
  names: Reply | null
  /** Says that nothing was found as it once did: 204 without a body. */
  isOldFashioned: boolean
}

/** A stand-in for Mojang's three services at once. */
export async function startMojang(): Promise<Mojang> {
  const stand: Omit<Mojang, keyof StandIn> = { next: null, names: null, isOldFashioned: false }
  const service = await startStandIn(({ path }): Reply => {
    const { next } = stand
    stand.next = null
    if (next) return next
    const isNewer = path.startsWith('/minecraft/profile/lookup/name/')
    if (isNewer && stand.names) return stand.names
    const name = /^\/(?:minecraft\/profile\/lookup\/name|users\/profiles\/minecraft)\/(.+)$/.exec(path)?.[1]
    const uuid = /^\/session\/minecraft\/profile\/(.+)$/.exec(path)?.[1]
    const account = name ? ACCOUNTS.get(name.toLowerCase()) : [...ACCOUNTS.values()].find(({ id }) => id === uuid)
    if (!account) {
      if (uuid !== undefined || stand.isOldFashioned) return { status: 204 }
      return { status: 404, json: { path, errorMessage: `Couldn't find any profile with name ${name}` } }
    }
    const { id, value } = account
    if (uuid === undefined) return { json: { id, name: account.name } }
    return { json: { id, name: account.name, properties: [{ name: 'textures', value }], profileActions: [] } }
  })
  return Object.assign(stand, service)
}

export const XUIDS = { known: '2535400000000001', skinless: '2535400000000002' } as const

/** A stand-in for GeyserMC's Global API. */
export function startGeyser(): Promise<StandIn> {
  const gamertags: Readonly<Record<string, string>> = { [XUIDS.known]: 'Bed Rocker', [XUIDS.skinless]: 'NoSkin' }
  return startStandIn(({ path }): Reply | undefined => {
    const [, kind, key = ''] = /^\/v2\/(xbox\/xuid|xbox\/gamertag|skin)\/(.+)$/.exec(path) ?? []
    if (kind === 'xbox/xuid') {
      const found = Object.entries(gamertags).find(([, tag]) => tag.toLowerCase() === key.toLowerCase())
      return { json: found ? { xuid: Number(found[0]) } : {} }
    }
    if (kind === 'xbox/gamertag') return { json: gamertags[key] ? { gamertag: gamertags[key] } : {} }
    if (kind !== 'skin') return { status: 400, json: { message: 'Deprecated' } }
    if (key !== XUIDS.known) return { json: {} }
    const value = texturesOf({ SKIN: at(SKIN_HASH) })
    return { json: { hash: 'ab', texture_id: SKIN_HASH, value, signature: 'x', is_steve: false } }
  })
}
