import { guildPath, call } from './api.js'
import { changed, me, state, textChannels } from './store.js'

const SHOWN_MAX = 100
const TRAFFIC_MAX = 200
const REMEMBERED_MAX = 300
const TYPING_MS = 9000
const RETRY_MS = 1000

let source = null
let retry = null
let withTraffic = false

/** Follows the sandbox, which sends the whole first and then what differs; again and again while it is away. */
export function connect() {
  clearTimeout(retry)
  source?.close()
  const query = new URLSearchParams()
  const guildId = state.guild?.id ?? new URLSearchParams(location.search).get('guild')
  if (guildId) query.set('guild', guildId)
  if (withTraffic) query.set('traffic', 'true')
  source = new EventSource(`/sandbox/events?${query}`)
  source.addEventListener('message', ({ data }) => take(JSON.parse(data)))
  source.addEventListener('error', () => {
    state.connection = 'lost'
    changed('connection')
    // A browser would wait longer and longer.
    source.close()
    clearTimeout(retry)
    retry = setTimeout(connect, RETRY_MS)
  })
}

/** The guild is gone: the first one that there is takes its place. */
function restart() {
  state.guild = null
  connect()
}

export function showTraffic(isShown) {
  if (withTraffic === isShown) return
  withTraffic = isShown
  state.traffic = []
  connect()
}

export function showGuild(guildId) {
  state.guild = { id: guildId }
  state.channelId = null
  connect()
}

const TAKERS = {
  hello: takeHello,
  guild({ guild }) {
    state.guild = guild
    chooseChannel()
    changed('guild', 'voice')
  },
  'guild-gone': restart,
  voice({ userId, state: voice }) {
    const others = state.guild.voiceStates.filter((one) => one.userId !== userId)
    state.guild.voiceStates = voice ? [...others, voice] : others
    changed('voice')
  },
  applications({ applications }) {
    state.applications = applications
    changed('applications')
    void loadCommands()
  },
  network({ network, links }) {
    Object.assign(state, { network, links })
    changed('network', 'links')
  },
  activity({ speakers }) {
    state.speakers = speakers
    changed('activity')
  },
  message({ message }) {
    state.typing.delete(message.authorId)
    if (message.channelId !== state.channelId) {
      state.unread.add(message.channelId)
      changed('unread')
    } else putMessage(message)
  },
  'message-gone'({ id }) {
    arrived?.set(id, null)
    state.messages.delete(id)
    changed('messages')
  },
  interaction: ({ interaction }) => takeInteraction(interaction),
  typing({ userId, channelId }) {
    if (channelId !== state.channelId) return
    state.typing.set(userId, Date.now() + TYPING_MS)
    changed('typing')
  },
  traffic({ entries }) {
    state.traffic = [...state.traffic, ...entries].slice(-TRAFFIC_MAX)
    changed('traffic')
  },
}

const take = (event) => TAKERS[event.type]?.(event)

function takeHello({ guilds, guild, applications, interactions, network, links, suggestions }) {
  Object.assign(state, { guilds, guild, applications, network, links, suggestions, connection: 'live', speakers: {} })
  state.whispers.clear()
  state.interactions.clear()
  state.traffic = []
  for (const one of interactions) takeInteraction(one)
  state.userId = me()?.id ?? null
  changed('connection', 'guild', 'voice', 'applications', 'network', 'links', 'activity', 'me', 'traffic')
  if (!guild && guilds[0]) showGuild(guilds[0].id)
  if (!guild) return
  chooseChannel()
  void loadMessages()
  void loadCommands()
}

function chooseChannel() {
  const channels = textChannels()
  if (channels.some(({ id }) => id === state.channelId)) return
  state.channelId = channels[0]?.id ?? null
  void loadMessages()
}

export async function showChannel(channelId) {
  state.channelId = channelId
  await loadMessages()
}

/** Messages that arrive while a channel is read, by id: they are newer than the answer. Null stands for a deleted one. */
let arrived = null

async function loadMessages() {
  const { channelId } = state
  const meanwhile = new Map()
  arrived = meanwhile
  state.unread.delete(channelId)
  const messages = channelId ? await call('GET', guildPath(`/channels/${channelId}/messages`)).catch(() => null) : []
  if (channelId !== state.channelId || arrived !== meanwhile) return
  if (!messages) {
    setTimeout(() => {
      if (channelId === state.channelId) void loadMessages()
    }, RETRY_MS)
    return
  }
  state.messages = new Map(messages.slice(-SHOWN_MAX).map((one) => [one.id, one]))
  for (const [id, message] of meanwhile) {
    if (message) state.messages.set(id, message)
    else state.messages.delete(id)
  }
  arrived = null
  state.isLoaded = true
  state.typing.clear()
  changed('channel', 'messages', 'unread')
}

/** Loads the commands that this member sees after a slash. */
export async function loadCommands() {
  const { userId, guild } = state
  if (!guild || !userId) return
  const commands = await call('GET', guildPath(`/commands?${new URLSearchParams({ userId })}`)).catch(() => null)
  if (!commands || userId !== state.userId) return
  state.commands = commands
  changed('commands')
}

function putMessage(message) {
  arrived?.set(message.id, message)
  state.messages.set(message.id, message)
  for (const id of state.messages.keys()) if (state.messages.size > SHOWN_MAX) state.messages.delete(id)
  changed('messages')
}

function takeInteraction({ id, userId, command, channelId, messages }) {
  const before = state.interactions.get(id)?.messageIds ?? []
  const messageIds = messages.map((one) => one.id)
  for (const gone of before) if (!messageIds.includes(gone)) state.whispers.delete(gone)
  for (const message of messages) state.whispers.set(message.id, { ...message, for: userId, channelId })
  state.interactions.set(id, { userId, command, messageIds })
  for (const key of state.interactions.keys())
    if (state.interactions.size > REMEMBERED_MAX) state.interactions.delete(key)
  for (const key of state.whispers.keys()) if (state.whispers.size > SHOWN_MAX) state.whispers.delete(key)
  changed('messages')
}

/** "Only you can see this": away with it, for this page. */
export function dismiss(messageId) {
  state.whispers.delete(messageId)
  changed('messages')
}
