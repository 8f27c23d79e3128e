import type { Pose } from 'bandstand-figures/poses'
import { PlayerPath } from '../../../upstream/blockgame/schemas.ts'
import { lookUp } from '../core/lookup.ts'
import { plain, title } from '../core/embed-format.ts'
import { command } from '../core/command.ts'
import { choice, input, optional } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { say } from '../core/reply.ts'
import { labelOf } from '../i18n/labels.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const minecraftText = textOf('blockgame', 'minecraft')
const skinText = textOf('renders', 'skin')

const COLOUR = 0x4c9a4a
const FILE = 'skin.png'
/** In the order in which members choose. */
const POSES = Object.keys(skinText.en.label.options.pose.options) as Pose[]

/** A player of Minecraft as they look, in a pose. */
export const skin = command({
  name: 'skin',
  labels: labelOf(skinText),
  rule: 'anyone',
  options: { player: input(PlayerPath.shape.player, { max: 40 }), pose: optional(choice(POSES)) },
  async run({ options, language, scope: { projectId }, guildId }, { utilities, renders }) {
    const { noPlayer, badPlayer, defaultSkin } = minecraftText[language].words
    const words = skinText[language].words
    const looking = { missing: noPlayer({ name: plain(options.player, 40) }), invalid: badPlayer }
    const player = await lookUp(utilities.blockPlayers.find(options.player), looking)
    const name = plain(player.name, 40)
    if (!player.skin && !player.defaultSkin) throw new Refusal(words.noSkin({ name }))
    const input = { projectId, guildId, player, pose: options.pose ?? 'wave' }
    const data = await lookUp(renders.figure(input), {
      missing: words.noSkin({ name }),
      invalid: words.badSkin({ name }),
    })
    const embed = { title: title(player.name), color: COLOUR, image: { url: `attachment://${FILE}` } }
    // Ours is drawn for it, and not what the game shows.
    const note = player.skin
      ? {}
      : { description: `-# ${defaultSkin({ name: player.defaultSkin === 'alex' ? 'Alex' : 'Steve' })}` }
    return say({ embeds: [{ ...embed, ...note }], files: [{ name: FILE, data }] })
  },
})
