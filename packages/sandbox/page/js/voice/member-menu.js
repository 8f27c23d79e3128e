import { openForm } from '../chat/form.js'
import { call, guildPath, memberPath } from '../core/api.js'
import { make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { openMenu } from '../core/menu.js'
import { localeOf, setActingMember } from '../core/preferences.js'
import { attempt } from '../core/problem.js'
import { loadCommands } from '../core/live.js'
import { applicationOf, changed, channelOf, me, state, voiceChannels, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'
import { moveMember } from './move.js'

/** Everything that one can do as a member, or as a moderator to them. */
export function openMemberMenu(anchor, member) {
  const voice = voiceOf(member.id)
  const groups = [identity(member), moves(member, voice), voice ? moderation(member, voice) : [], apps(member)]
  const items = groups
    .filter(({ length }) => length > 0)
    .flatMap((group) => [null, group])
    .flat()
    .slice(1)
  if (items.length > 0) openMenu(anchor, words().actions({ name: member.name }), items)
}

export function actAs(member) {
  state.userId = member.id
  setActingMember(member.id)
  changed('me', 'messages')
  void loadCommands()
}

function identity(member) {
  if (member.bot || member.id === me()?.id) return []
  return [{ text: words().actAs({ name: member.name }), picture: icon('people'), act: () => actAs(member) }]
}

function moves(member, voice) {
  // A bot joins on its own; it can only be moved.
  if (member.bot && !voice) return []
  const { moveTo, join } = words()
  return voiceChannels()
    .filter(({ id }) => id !== voice?.channelId)
    .map(({ id, name }) => ({
      text: (voice ? moveTo : join)({ channel: name }),
      picture: icon('voice'),
      act: () => attempt(() => moveMember(member, id)),
    }))
}

function moderation(member, voice) {
  const it = words()
  const perform =
    (path, body = {}) =>
    () =>
      attempt(() => call('POST', memberPath(member.id, path), body))
  const { serverMuted, serverDeafened } = member
  const item = (text, picture, path, body) => ({ text, picture: icon(picture), act: perform(path, body) })
  const items = [
    item(serverMuted ? it.serverUnmute : it.serverMute, serverMuted ? 'mic' : 'mic-off', '/server-mute', {
      muted: !serverMuted,
    }),
    item(serverDeafened ? it.serverUndeafen : it.serverDeafen, serverDeafened ? 'ear' : 'ear-off', '/server-mute', {
      deafened: !serverDeafened,
    }),
  ]
  if (channelOf(voice.channelId)?.type === 'stage') items.push(...stage(member, voice, item))
  if (!member.bot && voice.connected) items.push(item(it.speak, 'voice', '/speak'))
  const leave = member.bot ? item(it.disconnect, 'leave', '/disconnect') : item(it.leave, 'leave', '/leave')
  return [...items, { ...leave, danger: true }]
}

function stage(member, { suppressed, asksToSpeak }, item) {
  const { toAudience, toStage, raiseHand, lowerHand } = words()
  const seat = item(suppressed ? toStage : toAudience, 'stage', '/suppress', { suppressed: !suppressed })
  const hand = item(asksToSpeak ? lowerHand : raiseHand, 'mic', '/raise-hand', { raised: !asksToSpeak })
  return suppressed && !member.bot ? [seat, hand] : [seat]
}

const USER_COMMAND = 2
const MESSAGE_COMMAND = 3

/** Commands that bots have for members: Discord calls their menu "Apps". */
const apps = ({ id }) => appItems(USER_COMMAND, id)

export const messageApps = (messageId) => appItems(MESSAGE_COMMAND, messageId)

function appItems(type, targetId) {
  return state.commands
    .filter((command) => command.type === type)
    .map((command) => ({
      text: [command.name, applicationOf(command.applicationId)?.name].join(' · '),
      picture: icon('spark'),
      act: () => attempt(() => useMenuCommand(command, targetId)),
    }))
}

async function useMenuCommand({ name, applicationId }, targetId) {
  const { id } = me()
  const body = { userId: id, channelId: state.channelId, applicationId, locale: localeOf(id), command: name, targetId }
  openForm(await call('POST', guildPath('/interactions/context-menu'), body))
}

export function stateIcons(member, voice) {
  const { states } = words()
  const marks = [
    voice.selfMute && ['mic-off', states.muted],
    voice.selfDeaf && ['ear-off', states.deafened],
    member.serverMuted && ['mic-off', states.serverMuted, 'bad'],
    member.serverDeafened && ['ear-off', states.serverDeafened, 'bad'],
    voice.suppressed && ['eye', states.audience],
    voice.asksToSpeak && ['mic', states.hand],
  ]
  return marks
    .filter(Boolean)
    .map(([picture, text, tone = '']) =>
      make(
        'span',
        { className: `mark ${tone}`, title: text },
        icon(picture),
        make('span', { className: 'visually-hidden' }, text),
      ),
    )
}
