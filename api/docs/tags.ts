/** The areas of the reference in their order, each with what it is for. A route names its own. */
export const TAGS = {
  Service: 'Status of the service.',
  Music: 'Players in Discord servers (guilds). The key selects the bot.',
  Events: 'Events of players and bots over a WebSocket.',
  Requests: 'The log of your requests, to find out why one failed.',
  Jobs: 'Background work. Get its state, wait for its end, download the result.',
  Tools: 'Weather, screenshots of websites, and text tools.',
  Translation: 'Text translation and language detection.',
  Holidays: 'Public holidays and observances by country and state.',
  Scripture: 'Verses by reference and full-text search.',
  Images: 'Image filters and overlays.',
  Fun: 'Roleplay GIFs.',
  'Block game': 'Minecraft players, their skins and servers.',
  'Game platform': 'Roblox users, groups and games.',
} as const

export type Tag = keyof typeof TAGS
