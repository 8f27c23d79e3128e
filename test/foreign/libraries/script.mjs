/** Commands of every bot here, in Discord's documented form. Each library has its own spelling. */
export const COMMANDS = [
  {
    type: 1,
    name: 'echo',
    description: 'Says it again.',
    options: [{ type: 3, name: 'text', description: 'What to say.', required: true }],
  },
  { type: 1, name: 'panel', description: 'Shows buttons and a menu.' },
  { type: 1, name: 'later', description: 'Thinks first.' },
]

export const PANEL = [
  {
    type: 1,
    components: [
      { type: 2, style: 1, label: 'Press', custom_id: 'press' },
      { type: 2, style: 2, label: 'Form', custom_id: 'form' },
    ],
  },
  {
    type: 1,
    components: [
      {
        type: 3,
        custom_id: 'colour',
        options: [
          { label: 'Red', value: 'red' },
          { label: 'Blue', value: 'blue' },
        ],
      },
    ],
  },
]

export const FORM = {
  title: 'Who are you?',
  custom_id: 'who',
  components: [{ type: 1, components: [{ type: 4, custom_id: 'name', label: 'Name', style: 1, required: true }] }],
}

export const EPHEMERAL = 64

/** Guilds, GuildVoiceStates, GuildMessages, GuildMessageReactions, MessageContent. */
export const INTENTS = (1 << 0) | (1 << 7) | (1 << 9) | (1 << 10) | (1 << 15)
