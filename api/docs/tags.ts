/** The areas of the reference in their order, each with what it is for. A route names its own. */
export const TAGS = {
  Service: 'Is it up?',
  Music: 'Players of Discord guilds. The key decides which bot plays.',
  Events: 'What happens to players and bots, pushed over a WebSocket.',
  Requests: 'What your keys asked for and what came of it: why did this request fail?',
  Jobs: 'Work that takes a while: ask how far it is, wait for it, collect the result.',
  Tools: 'Weather, screenshots of websites, and small helpers.',
  Translation: 'Texts in another language, and which language a text is in.',
  Holidays: 'Days off and days to know, by country and state.',
  Scripture: 'Verses by reference and by search.',
  Images: 'Filters and overlays.',
  Fun: 'GIFs to act with.',
  'Block game': 'Minecraft players, their skins and servers.',
  'Game platform': 'Roblox users, groups and games.',
} as const

export type Tag = keyof typeof TAGS
