import type { APIEmbed } from 'discord.js'
import type { PlatformGame, PlatformGroup, PlatformUser } from '../../../upstream/gameplatform/schemas.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { text, labelOf } from '../core/options.ts'
import { lookupHandler, type Reader } from '../core/lookup.ts'
import { count, day, field, percent, plain, thumbnail, title } from '../core/embed-format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const robloxText = textOf('gameplatform', 'roblox')

const COLOUR = 0x3b6fe0
const BANNED = 0xb23a3a
const LONGEST_TEXT = 350

type Words = (typeof robloxText)['en']['words']

export const roblox = commandGroup({
  name: 'roblox',
  labels: labelOf(robloxText),
  subcommands: {
    user: subcommand(
      lookupHandler(robloxText, {
        // An address is longer than the names that the route takes.
        options: { name: text({ max: 60 }) },
        find: ({ name }, { gamePlatform }) => gamePlatform.user(idIn(name)),
        refuse: ({ noUser, badName }, { name }) => ({ missing: noUser({ name: plain(name, 60) }), invalid: badName }),
        draw: drawUser,
      }),
    ),
    group: subcommand(
      lookupHandler(robloxText, {
        options: { id: text({ max: 200 }) },
        find: ({ id }, { gamePlatform }) => gamePlatform.group(idIn(id)),
        refuse: ({ noGroup, badId }, { id }) => ({ missing: noGroup({ id: plain(idIn(id), 40) }), invalid: badId }),
        draw: drawGroup,
      }),
    ),
    game: subcommand(
      lookupHandler(robloxText, {
        options: { id: text({ max: 200 }) },
        find: ({ id }, { gamePlatform }) => gamePlatform.game(idIn(id)),
        refuse: ({ noGame, badId }, { id }) => ({ missing: noGame({ id: plain(idIn(id), 40) }), invalid: badId }),
        draw: drawGame,
      }),
    ),
  },
})

/** The number within an address of the site; anything else as it was written. */
function idIn(written: string): string {
  return /roblox\.com\/(?:[a-z]{2}\/)?\w+\/(\d+)/u.exec(written)?.[1] ?? written.trim()
}

function drawUser(user: PlatformUser, { words, language }: Reader<Words>): APIEmbed {
  const { friends, followers, followings } = user.counts
  const number = (value: number | null) => (value === null ? null : count(language, value))
  const handle = user.displayName === user.name ? '' : ` (@${user.name})`
  const told = [user.isBanned ? `🚫 ${words.banned}` : '', plain(user.description, LONGEST_TEXT)]
  return {
    title: title(`${user.displayName}${handle}${user.hasVerifiedBadge ? ' ☑️' : ''}`),
    url: user.profileUrl,
    description: told.filter((line) => line !== '').join('\n\n'),
    color: user.isBanned ? BANNED : COLOUR,
    ...thumbnail(user.avatar.headshot ?? user.avatar.full),
    fields: [
      ...field(`🤝 ${words.friends}`, number(friends)),
      ...field(`⭐ ${words.followers}`, number(followers)),
      ...field(`👀 ${words.followings}`, number(followings)),
      ...field(`📅 ${words.joined}`, day(user.createdAt)),
    ],
    footer: { text: `ID ${user.id}` },
  }
}

function drawGroup(group: PlatformGroup, { words, language }: Reader<Words>): APIEmbed {
  const shout = group.shout && group.shout.body !== '' ? `> 📣 ${plain(group.shout.body, LONGEST_TEXT)}` : ''
  return {
    title: title(`${group.name}${group.hasVerifiedBadge ? ' ☑️' : ''}`),
    url: group.url,
    description: [plain(group.description, LONGEST_TEXT), shout].filter((line) => line !== '').join('\n\n'),
    color: COLOUR,
    ...thumbnail(group.iconUrl),
    fields: [
      ...field(`👥 ${words.members}`, count(language, group.memberCount)),
      ...field(`👑 ${words.owner}`, group.owner ? plain(group.owner.displayName, 60) : words.noOwner),
      ...field(`🚪 ${words.entry}`, group.publicEntryAllowed ? words.open : words.byRequest),
    ],
    footer: { text: `ID ${group.id}` },
  }
}

function drawGame(game: PlatformGame, { words, language }: Reader<Words>): APIEmbed {
  const number = (value: number | null) => (value === null ? null : count(language, value))
  return {
    title: title(game.name),
    url: game.url,
    description: [
      words.by({ creator: `**${plain(game.creator.name, 60)}**` }),
      plain(game.description, LONGEST_TEXT),
    ].join('\n\n'),
    color: COLOUR,
    ...thumbnail(game.iconUrl),
    fields: [
      ...field(`🎮 ${words.playing}`, number(game.playing)),
      ...field(`👣 ${words.visits}`, number(game.visits)),
      ...field(`⭐ ${words.favourites}`, number(game.favorites)),
      ...field(`👍 ${words.liked}`, likedBy(game, language)),
      ...field(`👥 ${words.server}`, number(game.maxPlayers)),
      ...field(`🛠️ ${words.updated}`, day(game.updatedAt)),
    ],
    footer: { text: `ID ${game.id}` },
  }
}

function likedBy({ upVotes, downVotes }: PlatformGame, language: Language): string | null {
  if (upVotes === null || downVotes === null || upVotes + downVotes === 0) return null
  return percent(language, upVotes / (upVotes + downVotes))
}
