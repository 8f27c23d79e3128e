import { z } from 'zod'

const Skin = z
  .object({
    url: z.string(),
    hash: z.string().meta({ description: 'Permanent ID of the image.' }),
    model: z.enum(['classic', 'slim']).meta({ description: 'Arms of four or three pixels.' }),
  })
  .meta({ id: 'BlockSkin' })
export type Skin = z.output<typeof Skin>

const Cape = z.object({ url: z.string(), hash: z.string() }).meta({ id: 'BlockCape' })
export type Cape = z.output<typeof Cape>

export const BlockPlayer = z
  .object({
    id: z.string().meta({ description: 'UUID with dashes.' }),
    name: z.string(),
    platform: z.enum(['java', 'bedrock']),
    xuid: z.string().nullable().meta({ description: 'Xbox account number of a Bedrock player.' }),
    skin: Skin.nullable().meta({ description: 'Null for the default skin, or if unknown.' }),
    cape: Cape.nullable(),
    defaultSkin: z
      .enum(['steve', 'alex'])
      .nullable()
      .meta({ description: 'Skin of a Java player without a custom skin. Null for a Bedrock player.' }),
  })
  .meta({ id: 'BlockPlayer' })
export type BlockPlayer = z.output<typeof BlockPlayer>
