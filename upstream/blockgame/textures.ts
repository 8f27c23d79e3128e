import { z } from 'zod'
import type { Cape, Skin } from './schemas.ts'

export interface Textures {
  readonly skin: Skin | null
  readonly cape: Cape | null
}

const Texture = z.object({ url: z.string(), metadata: z.object({ model: z.string() }).partial().optional() })
const Decoded = z.object({ textures: z.object({ SKIN: Texture.optional(), CAPE: Texture.optional() }).default({}) })

/**
 * The textures in the base64 of a profile. An address anywhere but on the texture server makes the value malformed:
 * it is data from outside, and what it names gets fetched.
 */
export function texturesShape(baseUrl: string) {
  return z.string().transform((value, context): Textures => {
    const decoded = Decoded.safeParse(fromBase64(value))
    const given = decoded.data?.textures
    const skin = given?.SKIN && hashOf(given.SKIN.url)
    const cape = given?.CAPE && hashOf(given.CAPE.url)
    if (!given || skin === null || cape === null) {
      context.addIssue({ code: 'custom', message: "The profile's textures have the wrong format." })
      return z.NEVER
    }
    const model = given.SKIN?.metadata?.model === 'slim' ? 'slim' : 'classic'
    const at = `${baseUrl}/texture/`
    return {
      skin: skin === undefined ? null : { url: at + skin, hash: skin, model },
      cape: cape === undefined ? null : { url: at + cape, hash: cape },
    }
  })
}

/** Null if it is no address of a texture. */
function hashOf(url: string): string | null {
  return /^https?:\/\/textures\.minecraft\.net\/texture\/([0-9a-f]{1,128})$/i.exec(url)?.[1]?.toLowerCase() ?? null
}

function fromBase64(value: string): unknown {
  try {
    return JSON.parse(Buffer.from(value, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
