import type { APIEmbed } from 'discord.js'
import type { Pose } from 'bandstand-figures/poses'
import { PlayerPath, type BlockPlayer } from '../../../upstream/blockgame/schemas.ts'
import { Fault } from '../../../lib/errors.ts'
import { subcommand } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { field, plain, title } from '../core/embed-format.ts'
import { lookUp } from '../core/lookup.ts'
import { choice, input, optional } from '../core/options.ts'
import { say } from '../core/reply.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const minecraftText = textOf('blockgame', 'minecraft')

const COLOUR = 0x4c9a4a
const FILE = 'skin.png'
const LONGEST_NAME = 40
export const EDITIONS = { java: 'Java', bedrock: 'Bedrock' } as const
/** In the order in which members choose. */
const POSES = Object.keys(minecraftText.en.label.options.player.options.pose.options) as Pose[]

type Words = (typeof minecraftText)['en']['words']

/** A player of Minecraft: as they look, in a pose, and what is known of them. */
export const player = subcommand({
  rule: 'anyone',
  options: { name: input(PlayerPath.shape.player, { max: LONGEST_NAME }), pose: optional(choice(POSES)) },
  async run(invocation, context) {
    const { options, language } = invocation
    const { words } = minecraftText[language]
    const found = await lookUp(context.utilities.blockPlayers.find(options.name), {
      missing: words.noPlayer({ name: plain(options.name, LONGEST_NAME) }),
      invalid: words.badPlayer,
    })
    const embed = drawPlayer(found, words)
    const picture = await drawFigure(found, options.pose ?? 'wave', { invocation, context })
    if (!picture) return say({ embeds: [{ ...embed, footer: { text: words.noFigure } }] })
    return say({
      embeds: [{ ...embed, image: { url: `attachment://${FILE}` } }],
      files: [{ name: FILE, data: picture }],
    })
  },
})

interface By {
  readonly invocation: Invocation
  readonly context: CommandContext
}

/** null if there is no skin, or it can't be drawn now: the rest is worth showing. */
async function drawFigure(player: BlockPlayer, pose: Pose, { invocation, context }: By): Promise<Uint8Array | null> {
  const { scope, guildId } = invocation
  if (!player.skin && !player.defaultSkin) return null
  try {
    return await context.renders.figure({ projectId: scope.projectId, guildId, player, pose })
  } catch (err) {
    if (err instanceof Fault) return null
    throw err
  }
}

function drawPlayer(player: BlockPlayer, words: Words): APIEmbed {
  const { id, name, platform, skin, cape, defaultSkin, xuid } = player
  const link = (url: string) => `[${words.picture}](${url})`
  const common =
    defaultSkin === null ? words.noneStored : words.defaultSkin({ name: defaultSkin === 'alex' ? 'Alex' : 'Steve' })
  return {
    title: title(name),
    description: `-# ${EDITIONS[platform]} · \`${id}\``,
    color: COLOUR,
    fields: [
      ...field(
        `👕 ${words.skin}`,
        skin ? words.ownSkin({ picture: link(skin.url), model: words[skin.model] }) : common,
      ),
      ...field(`🧣 ${words.cape}`, cape && link(cape.url)),
      ...field('XUID', xuid && `\`${xuid}\``),
    ],
  }
}
