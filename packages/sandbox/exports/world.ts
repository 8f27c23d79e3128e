// For tests in the same process as their sandbox: its world, changed directly and without waiting. Each change notifies
// the bots that it concerns. The functions take the `world` of `startSandbox()`.
export { createApplication, createUser, type ApplicationFacts } from '../world/applications.ts'
export { keepFile } from '../world/message/attachments.ts'
export type { Draft } from '../world/message/drafts.ts'
export {
  addApplication,
  addChannel,
  addMember,
  createGuild,
  createRole,
  deleteChannel,
  deleteGuild,
  removeMember,
  setUnavailable,
  tellChannelUpdate,
  tellMemberUpdate,
} from '../world/guilds.ts'
export { addQuietGuilds, type QuietFacts } from '../world/guild/quiet.ts'
export { editMessage, deleteMessage, messagesOf, postMessage } from '../world/messages.ts'
export { Permission, permissionsOf } from '../world/permissions.ts'
export {
  changeFlags,
  enterVoice,
  giveVoiceBack,
  moveInVoice,
  removeFromVoice,
  setServerMute,
  takeVoiceAway,
} from '../world/voice.ts'
export {
  getApplication,
  getChannel,
  getGuild,
  getMember,
  type Application,
  type Channel,
  type Guild,
  type Happening,
  type Member,
  type Voice,
  type World,
} from '../world/world.ts'
