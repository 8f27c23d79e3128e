import { call, guildPath } from '../core/api.js'
import { localeOf } from '../core/preferences.js'
import { follow, me, people, state, voiceOf } from '../core/store.js'

/** Long enough to see the vote, and to vote first. */
const AFTER_MS = 3500
const VOTE = /^vote\b/

/** Votes that a member was asked for already, by message. */
const asked = new Set()

/** Where a bot lets members vote, one of those who listen agrees after a moment. */
export function startVoters() {
  follow(['messages'], () => {
    for (const message of state.messages.values()) {
      const customId = voteIn(message)
      if (!customId || asked.has(message.id) || Date.now() - Date.parse(message.createdAt) > 60_000) continue
      asked.add(message.id)
      setTimeout(() => void vote(message, customId), AFTER_MS)
    }
  })
}

function voteIn({ components = [] }) {
  const buttons = components.flatMap((row) => row.components ?? [])
  return buttons.find(({ custom_id: id, disabled }) => !disabled && VOTE.test(id ?? ''))?.custom_id
}

async function vote({ id: messageId, authorId, interactionId }, customId) {
  if (voteIn(state.messages.get(messageId) ?? {}) !== customId) return
  const channelId = voiceOf(authorId)?.channelId
  const starter = state.interactions.get(interactionId)?.userId
  const voter = people().find(({ id }) => {
    const voice = voiceOf(id)
    const isAside = id === me()?.id || id === starter || id === state.guild.ownerId
    return voice && voice.channelId === channelId && !voice.selfDeaf && !isAside
  })
  if (!voter) return
  const body = { userId: voter.id, locale: localeOf(voter.id), messageId, customId }
  // The vote may be over by now.
  await call('POST', guildPath('/interactions/button'), body).catch(() => undefined)
}
