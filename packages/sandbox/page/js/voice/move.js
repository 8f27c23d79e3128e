import { call, memberPath } from '../core/api.js'
import { announce } from '../core/dom.js'
import { channelOf, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'

/** A moderator moves who is in voice; who is not joins. */
export async function moveMember(member, channelId) {
  const isInVoice = Boolean(voiceOf(member.id))
  if (!isInVoice && member.bot) return
  await call('POST', memberPath(member.id, isInVoice ? '/move' : '/join'), { channelId })
  announce(words().moved({ name: member.name, channel: channelOf(channelId)?.name ?? '' }))
}
