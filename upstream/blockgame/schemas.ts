import { z } from 'zod'
import { text } from '../../lib/validation/inputs.ts'

export const PlayerPath = z.object({
  player: text(1, 64).describe('Account name, UUID, Xbox account number, or gamertag with a dot before it.'),
})

const Edition = z.enum(['java', 'bedrock'])
export type Edition = z.output<typeof Edition>

export const ServerPath = z.object({
  address: text(1, 300).describe('Host, or host and port: `play.example.org:25566`.'),
})

export const ServerQuery = z.object({ edition: Edition.default('java') })

const Skin = z
  .object({
    url: z.string(),
    hash: z.string().describe('Permanent ID of the image.'),
    model: z.enum(['classic', 'slim']).describe('Arms of four or three pixels.'),
  })
  .meta({ id: 'BlockSkin' })
export type Skin = z.output<typeof Skin>

const Cape = z.object({ url: z.string(), hash: z.string() }).meta({ id: 'BlockCape' })
export type Cape = z.output<typeof Cape>

export const BlockPlayer = z
  .object({
    id: z.string().describe('UUID with dashes.'),
    name: z.string(),
    platform: Edition,
    xuid: z.string().nullable().describe('Xbox account number of a Bedrock player.'),
    skin: Skin.nullable().describe('Null for the default skin, or if unknown.'),
    cape: Cape.nullable(),
    defaultSkin: z
      .enum(['steve', 'alex'])
      .nullable()
      .describe('Skin of a Java player without a custom skin. Null for a Bedrock player.'),
  })
  .meta({ id: 'BlockPlayer' })
export type BlockPlayer = z.output<typeof BlockPlayer>

export const BlockServer = z
  .object({
    online: z.boolean(),
    edition: Edition,
    host: z.string(),
    port: z.number().int(),
    version: z.string().nullable(),
    protocol: z.number().nullable(),
    players: z
      .object({
        online: z.number(),
        max: z.number(),
        sample: z.array(z.object({ name: z.string(), id: z.string() })).describe('Sample of the online players.'),
      })
      .nullable(),
    motd: z.object({ raw: z.string().describe('Includes `§` formatting codes.'), clean: z.string() }).nullable(),
    favicon: z.string().nullable().describe('A PNG as a `data:` URL.'),
    latencyMs: z.number().nullable(),
  })
  .meta({ id: 'BlockServer' })
export type BlockServer = z.output<typeof BlockServer>
