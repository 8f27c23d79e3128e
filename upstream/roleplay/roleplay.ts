import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import { createUpstream, urlPath, type Upstream, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure, failingAs, within } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import type { RoleplayGif } from './schemas.ts'
import { ACTION_NAMES, ACTIONS, findAction, type ProviderName } from './actions.ts'

export type Roleplay = ReturnType<typeof createRoleplay>

interface Provider {
  readonly name: ProviderName
  readonly host: string
  /** Pictures may be cached in memory for outages of the services. */
  readonly mayBeKept: boolean
  find(itsName: string): Promise<string>
}

/** Of every action, for outages of the services. */
const MAX_KEPT = 20

/** Pictures of any other address than a provider's own are not passed on. */
function picture(...hosts: readonly string[]) {
  return z.string().refine((text) => {
    const url = URL.parse(text)
    return (
      url?.protocol === 'https:' && hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
    )
  })
}

export function createRoleplay(context: UpstreamContext, settings: LookupSettings) {
  const providers = settings.roleplay.providers.map((name) => createProvider(context, settings, name))
  const kept = new Map<string, RoleplayGif[]>()
  const host = providers.map((provider) => provider.host).join(', ')

  const ask = async (action: string): Promise<RoleplayGif> => {
    let lastFailure: UpstreamFailure | null = null
    for (const provider of providers) {
      const itsName = ACTIONS.get(action)?.[provider.name]
      if (itsName === undefined) continue
      try {
        const gif = { action, url: await provider.find(itsName), source: provider.name }
        if (provider.mayBeKept) keep(kept, gif)
        return gif
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error
        lastFailure = error
      }
    }
    throw lastFailure ?? new Fault('service_unavailable', `No configured provider has images of ${action}.`)
  }

  return {
    /** In alphabetical order. */
    actions: ACTION_NAMES,
    /**
     * A picture of the action, another one each time.
     * @throws {Fault} `bad_request` for an unknown action, `service_unavailable` when no provider has one.
     */
    find: (text: string): Promise<RoleplayGif> =>
      failingAs('service_unavailable', async () => {
        const action = findAction(text)
        if (action === null) throw unknownAction(text)
        try {
          const who = { name: 'The image services', host }
          return await within(1.6 * settings.timeoutMs, who, ask(action))
        } catch (error) {
          const known = kept.get(action) ?? []
          const any = known[Math.floor(context.random() * known.length)]
          if (any) return any
          throw error
        }
      }),
  }
}

function keep(kept: Map<string, RoleplayGif[]>, gif: RoleplayGif): void {
  const known = (kept.get(gif.action) ?? []).filter(({ url }) => url !== gif.url)
  kept.set(gif.action, [...known, gif].slice(-MAX_KEPT))
}

function createProvider(context: UpstreamContext, settings: LookupSettings, name: ProviderName): Provider {
  const { roleplay, timeoutMs } = settings
  const open = (baseUrl: string): Upstream =>
    createUpstream(context, { name: 'The image service', id: name, baseUrl, timeoutMs: 0.8 * timeoutMs })
  switch (name) {
    case 'otakugifs': {
      const service = open(roleplay.otakuGifsUrl)
      const shape = z.object({ url: picture('otakugifs.xyz') })
      const find = async (reaction: string) =>
        (await service.get({ path: '/gif', query: { reaction, format: 'gif' }, shape })).url
      return { name, host: service.host, mayBeKept: true, find }
    }
    case 'purrbot': {
      const service = open(roleplay.purrBotUrl)
      // It says that something is wrong with a status of success.
      const shape = z.object({ link: picture('purrbot.site'), error: z.literal(false) })
      const find = async (action: string) => (await service.get({ path: urlPath`/img/sfw/${action}/gif`, shape })).link
      return { name, host: service.host, mayBeKept: true, find }
    }
    case 'nekosbest': {
      const service = open(roleplay.nekosBestUrl)
      const shape = z.object({ results: z.array(z.object({ url: picture('nekos.best') })).min(1) })
      const find = async (action: string) => {
        const { results } = await service.get({ path: urlPath`/${action}`, shape })
        return results[0]?.url ?? ''
      }
      return { name, host: service.host, mayBeKept: false, find }
    }
  }
}

function unknownAction(text: string): Fault {
  const message = `Unknown action ${text}. GET /v1/fun/roleplay lists all.`
  return new Fault('bad_request', message, { reason: 'unknown_action' })
}
