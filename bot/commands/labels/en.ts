import type { Label } from './label.ts'

/** Names and descriptions as members see them: of commands, and within them of options and subcommands. */
export const en = {
  play: ['play', 'Play a track, a playlist or a radio station', { query: ['query', 'A title, an artist or a link'] }],
  radio: ['radio', 'Play an internet radio', { station: ['station', 'Its name; your favourite stations come first'] }],
  skip: ['skip', 'Skip the current track, by vote where others listen too'],
  previous: ['previous', 'Go back to the track before'],
  pause: ['pause', 'Pause the music'],
  resume: ['resume', 'Go on with the music'],
  stop: ['stop', 'Stop the music and leave the channel'],
  queue: ['queue', 'Show what plays next', { page: ['page', 'Which page'] }],
  nowplaying: ['nowplaying', 'Show the card of what plays now'],
  lyrics: ['lyrics', 'Show the words of what plays', { follow: ['follow', 'Let them follow the music'] }],
  volume: ['volume', 'Set the volume', { percent: ['percent', '100 is unchanged'] }],
  loop: [
    'loop',
    'Repeat the track or the queue',
    { mode: ['mode', 'What is repeated', { off: ['Off', ''], track: ['This track', ''], queue: ['The queue', ''] }] },
  ],
  filter: [
    'filter',
    'Change how the music sounds',
    {
      preset: [
        'preset',
        'How',
        {
          off: ['Off', ''],
          bassboost: ['Bass boost', ''],
          nightcore: ['Nightcore', ''],
          vaporwave: ['Vaporwave', ''],
          '8d': ['8D', ''],
          soft: ['Soft', ''],
        },
      ],
    },
  ],
  mute: ['mute', 'Play on silently'],
  unmute: ['unmute', 'Make the music heard again'],
  seek: ['seek', 'Jump within the track', { time: ['time', 'Like 1:23'] }],
  shuffle: ['shuffle', 'Shuffle the queue'],
  remove: ['remove', 'Remove a track from the queue', { position: ['position', '1 is the next one up'] }],
  move: [
    'move',
    'Move a track within the queue',
    { from: ['from', 'Where it is; 1 is the next one up'], to: ['to', 'Where it shall be'] },
  ],
  clear: ['clear', 'Empty the queue'],
  favourites: [
    'favourites',
    'Your favourite tracks',
    {
      add: ['add', 'Keep what plays now'],
      list: ['list', 'Show your favourites', { page: ['page', 'Which page'] }],
      play: ['play', 'Play one of your favourites, or all', { track: ['track', 'All of them unless you choose one'] }],
      remove: ['remove', 'Remove a favourite', { track: ['track', 'Which one'] }],
    },
  ],
  playlist: [
    'playlist',
    'Your saved playlists',
    {
      save: ['save', 'Save what plays and waits', { name: ['name', 'What to call it'] }],
      load: ['load', 'Queue one of your playlists', { name: ['name', 'Which one'] }],
      list: ['list', 'Show your playlists'],
      delete: ['delete', 'Delete one of your playlists', { name: ['name', 'Which one'] }],
    },
  ],
  settings: [
    'settings',
    'How the bot behaves in this server',
    {
      show: ['show', 'Show all settings'],
      dj: ['dj', 'Who may control the player', { role: ['role', 'Everyone who listens unless you choose one'] }],
      votes: ['votes', 'How many listeners have to agree to a skip', { percent: ['percent', '0: nobody is asked'] }],
      stay: ['stay', 'Stay in the channel around the clock', { on: ['on', 'Whether to stay'] }],
      volume: ['volume', 'The volume that music begins with', { percent: ['percent', '100 is unchanged'] }],
      announce: [
        'announce',
        'Where the now-playing card goes',
        { channel: ['channel', 'Where music is asked for unless you choose one'] },
      ],
      language: [
        'language',
        'The language of the card',
        { language: ['language', 'As set in the server unless you choose'] },
      ],
      duplicates: ['duplicates', 'Whether a track may be queued twice', { on: ['on', 'Whether it may'] }],
      fair: ['fair', 'Whether members take turns in the queue', { on: ['on', 'Whether they do'] }],
      loudness: ['loudness', 'Whether all tracks play equally loud', { on: ['on', 'Whether they do'] }],
      limit: ['limit', 'How many tracks of a member may wait', { tracks: ['tracks', 'Any number unless you choose'] }],
      screenshots: ['screenshots', 'Whether members may have websites shown', { on: ['on', 'Whether they may'] }],
      reset: ['reset', 'Set everything back'],
    },
  ],
  image: [
    'image',
    'Change a picture',
    {
      filter: [
        'filter',
        'Put a picture through a filter',
        {
          effect: ['effect', 'Which one'],
          member: ['member', 'Whose avatar; your own unless you choose'],
          picture: ['picture', 'A picture to use instead of an avatar'],
          settings: ['settings', 'Like radius=10; colour=58f'],
        },
      ],
      overlay: [
        'overlay',
        'Draw something over a picture',
        {
          effect: ['effect', 'Which one'],
          member: ['member', 'Whose avatar; your own unless you choose'],
          picture: ['picture', 'A picture to use instead of an avatar'],
          settings: ['settings', 'Like radius=10; colour=58f'],
          with: ['with', 'Whose avatar is the second picture'],
        },
      ],
    },
  ],
} as const satisfies Readonly<Record<string, Label>>
