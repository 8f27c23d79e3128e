/** State of the page. Modules draw from it, and again when a topic that they follow has changed. */
export const state = {
  connection: 'connecting',
  guilds: [],
  guild: null,
  applications: [],
  network: null,
  links: [],
  suggestions: [],
  /** Audio transport of each user, by id. */
  speakers: {},
  commands: [],
  channelId: new URLSearchParams(location.search).get('channel'),
  /** Messages of the channel that is shown, by id, oldest first. */
  messages: new Map(),
  isLoaded: false,
  /** Messages that one member alone sees, by id. */
  whispers: new Map(),
  /** User and command of each interaction, by id, for the line above its answer. */
  interactions: new Map(),
  /** Channels with messages that were not looked at. */
  unread: new Set(),
  userId: null,
  traffic: [],
  typing: new Map(),
}

const followers = new Map()

/** Calls the listener after changes of these topics, once for all that change in one turn. */
export function follow(topics, listener) {
  for (const topic of topics) followers.set(topic, [...(followers.get(topic) ?? []), listener])
}

const due = new Set()

export function changed(...topics) {
  if (due.size === 0) queueMicrotask(flush)
  for (const topic of topics) for (const listener of followers.get(topic) ?? []) due.add(listener)
}

function flush() {
  const listeners = [...due]
  due.clear()
  for (const listener of listeners) listener()
}

export const textChannels = () => state.guild?.channels?.filter(({ type }) => type === 'text') ?? []
export const voiceChannels = () => state.guild?.channels?.filter(({ type }) => type !== 'text') ?? []
export const channelOf = (id) => state.guild?.channels?.find((one) => one.id === id)
export const memberOf = (id) => state.guild?.members?.find((one) => one.id === id)
export const voiceOf = (id) => state.guild?.voiceStates?.find(({ userId }) => userId === id)
export const people = () => state.guild?.members?.filter(({ bot }) => !bot) ?? []
export const me = () => memberOf(state.userId) ?? people()[0]
export const applicationOf = (id) => state.applications.find((one) => one.id === id)
export const offline = () => state.applications.filter(({ online }) => !online)
