import type { Label } from '../../labels/label.ts'

const member = ['member', 'Whom; everyone unless you choose'] as const

export const en = {
  weather: ['weather', 'The weather in a city now', { city: ['city', 'Like Paris, or Portland, ME, US'] }],
  translate: [
    'translate',
    'Translate a text',
    {
      text: ['text', 'What to translate'],
      to: ['to', 'Into which language; yours unless you choose'],
      from: ['from', 'Its language; found out unless you choose'],
    },
  ],
  translateMenu: ['Translate', ''],
  verse: [
    'verse',
    'Read the Bible, or search in it',
    {
      passage: ['passage', 'Like John 3:16-18, or words to search for'],
      translation: ['translation', 'One in your language unless you choose'],
    },
  ],
  holidays: [
    'holidays',
    'The next holidays of a country',
    {
      country: ['country', 'Which country'],
      state: ['state', 'A state or region of it'],
      year: ['year', 'All holidays of a year instead of the next ones'],
    },
  ],
  minecraft: [
    'minecraft',
    'Players and servers of Minecraft',
    {
      player: ['player', 'Show a player', { name: ['name', 'A name, a UUID, or a gamertag with a dot before it'] }],
      server: [
        'server',
        'Show who is on a server',
        { address: ['address', 'Like play.example.org'], edition: ['edition', 'Java unless you choose'] },
      ],
    },
  ],
  roblox: [
    'roblox',
    'Users, groups and games of Roblox',
    {
      user: ['user', 'Show a user', { name: ['name', 'Their name or id'] }],
      group: ['group', 'Show a community', { id: ['id', 'The number in its address'] }],
      game: ['game', 'Show a game', { id: ['id', 'The number in its address'] }],
    },
  ],
  act: [
    'act',
    'Show what you are doing',
    { action: ['action', 'What you do'], member: ['member', 'To whom, if to anybody'] },
  ],
  hug: ['hug', 'Hug somebody', { member }],
  pat: ['pat', 'Pat somebody’s head', { member }],
  kiss: ['kiss', 'Kiss somebody', { member }],
  cuddle: ['cuddle', 'Cuddle somebody', { member }],
  slap: ['slap', 'Slap somebody', { member }],
  poke: ['poke', 'Poke somebody', { member }],
  tickle: ['tickle', 'Tickle somebody', { member }],
  highfive: ['highfive', 'Give somebody a high five', { member }],
  wave: ['wave', 'Wave at somebody', { member }],
} as const satisfies Readonly<Record<string, Label>>
