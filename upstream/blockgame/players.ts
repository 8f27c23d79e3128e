import { Fault, type FaultCode } from '../../lib/errors.ts'
import type { UpstreamContext } from '../http/client.ts'
import { failingAs, within } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import { createGeyser } from './geyser.ts'
import { createMojang } from './mojang.ts'
import { dashed, defaultSkin, floodgateId, readPlayer, type PlayerRef } from './player-ref.ts'
import type { BlockPlayer } from './schemas.ts'

export type { BlockPlayer } from './schemas.ts'

/** What the answers mean to the route that asks. */
interface FindOptions {
  /** Code for a text that can be no player. Defaults to `validation_error`. */
  readonly invalid?: 'validation_error' | 'bad_request'
  /** Code for an outside service that fails. Defaults to `service_unavailable`. */
  readonly failing?: FaultCode
}

export type BlockPlayers = ReturnType<typeof createBlockPlayers>

export function createBlockPlayers(context: UpstreamContext, settings: LookupSettings) {
  const mojang = createMojang(context, settings)
  const geyser = createGeyser(context, settings)

  const findJava = async (uuid: string): Promise<BlockPlayer | null> => {
    const profile = await mojang.findProfile(uuid)
    if (!profile) return null
    const { name, textures } = profile
    return { id: dashed(profile.uuid), name, platform: 'java', xuid: null, ...textures, defaultSkin: defaultSkin(uuid) }
  }
  const findBedrock = async (xuid: string): Promise<BlockPlayer | null> => {
    const [name, skin] = await Promise.all([geyser.findGamertag(xuid), geyser.findSkin(xuid)])
    if (name === null) return null
    return { id: floodgateId(xuid), name, platform: 'bedrock', xuid, skin, cape: null, defaultSkin: null }
  }
  const findOne = async (ref: PlayerRef): Promise<BlockPlayer | null> => {
    switch (ref.kind) {
      case 'uuid':
        return findJava(ref.uuid)
      case 'xuid':
        return findBedrock(ref.xuid)
      case 'name': {
        const account = await mojang.findByName(ref.name)
        return account && findJava(account.uuid)
      }
      case 'gamertag': {
        const xuid = await geyser.findXuid(ref.gamertag)
        return xuid === null ? null : findBedrock(xuid)
      }
    }
  }
  const findFirst = async (refs: readonly PlayerRef[]): Promise<BlockPlayer | null> => {
    for (const ref of refs) {
      const found = await findOne(ref)
      if (found) return found
    }
    return null
  }

  return {
    /**
     * The player of a name, a UUID, an Xbox gamertag or an Xbox account number.
     * @throws {Fault} `not_found`, and as `options` say.
     */
    find: (player: string, { invalid = 'validation_error', failing = 'service_unavailable' }: FindOptions = {}) =>
      failingAs(failing, async () => {
        const refs = readPlayer(player)
        if (refs.length === 0) throw notAPlayer(invalid)
        const who = { name: 'The account service', host: refs[0]?.kind === 'name' ? mojang.host : geyser.host }
        const found = await within(2 * settings.timeoutMs, who, findFirst(refs))
        if (!found) throw new Fault('not_found', `There is no player ${player}.`)
        return found
      }),
  }
}

function notAPlayer(code: 'validation_error' | 'bad_request'): Fault {
  const message = 'Must be an account name, a UUID, a gamertag with a dot before it, or an Xbox account number.'
  return new Fault(code, message, { reason: 'invalid_player' })
}
