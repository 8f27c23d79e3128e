/** Discord's own codes, of those that the stand-in answers. */
const KNOWN = {
  general: [404, 0, '404: Not Found'],
  unauthorized: [401, 0, '401: Unauthorized'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  unknownApplication: [404, 10_002, 'Unknown Application'],
  unknownChannel: [404, 10_003, 'Unknown Channel'],
  unknownGuild: [404, 10_004, 'Unknown Guild'],
  unknownInvite: [404, 10_006, 'Unknown Invite'],
  unknownMember: [404, 10_007, 'Unknown Member'],
  unknownMessage: [404, 10_008, 'Unknown Message'],
  unknownOverwrite: [404, 10_009, 'Unknown Overwrite'],
  unknownRole: [404, 10_011, 'Unknown Role'],
  unknownUser: [404, 10_013, 'Unknown User'],
  unknownEmoji: [404, 10_014, 'Unknown Emoji'],
  unknownReactionEmoji: [400, 10_014, 'Unknown Emoji'],
  unknownWebhook: [404, 10_015, 'Unknown Webhook'],
  unknownBan: [404, 10_026, 'Unknown Ban'],
  unknownSku: [404, 10_027, 'Unknown SKU'],
  unknownEntitlement: [404, 10_029, 'Unknown Entitlement'],
  unknownSticker: [404, 10_060, 'Unknown Sticker'],
  unknownInteraction: [404, 10_062, 'Unknown interaction'],
  unknownCommand: [404, 10_063, 'Unknown application command'],
  unknownVoiceState: [404, 10_065, 'Unknown Voice State'],
  unknownCommandPermissions: [404, 10_066, 'Unknown application command permissions'],
  unknownStageInstance: [404, 10_067, 'Unknown Stage Instance'],
  unknownWelcomeScreen: [404, 10_069, 'Unknown Guild Welcome Screen'],
  unknownScheduledEvent: [404, 10_070, 'Unknown Guild Scheduled Event'],
  unknownTag: [404, 10_087, 'Unknown Tag'],
  unknownPollAnswer: [404, 10_102, 'Unknown Poll Answer'],
  notForBots: [403, 20_001, 'Bots cannot use this endpoint'],
  slowmode: [429, 20_016, 'This action cannot be performed due to slowmode rate limit'],
  tooManyPins: [400, 30_003, 'Maximum number of pinned messages reached (250)'],
  tooManyRoles: [400, 30_005, 'Maximum number of guild roles reached (250)'],
  tooManyWebhooks: [400, 30_007, 'Maximum number of webhooks reached (15)'],
  tooManyEmojis: [400, 30_008, 'Maximum number of emojis reached (50)'],
  tooManyReactions: [400, 30_010, 'Maximum number of reactions reached (20)'],
  tooManyChannels: [400, 30_013, 'Maximum number of guild channels reached (500)'],
  tooManyInvites: [400, 30_016, 'Maximum number of invites reached (1000)'],
  tooManyThreadMembers: [400, 30_033, 'Maximum number of thread participants has been reached (1000)'],
  tooManyScheduledEvents: [400, 30_038, 'Maximum number of uncompleted guild scheduled events has been reached (100)'],
  tooManyStickers: [400, 30_039, 'Maximum number of stickers reached (5)'],
  tooLarge: [413, 40_005, 'Request entity too large. Try sending something smaller'],
  bannedFromGuild: [403, 40_007, 'The user is banned from this guild.'],
  notInVoice: [400, 40_032, 'Target user is not connected to voice.'],
  alreadyCrossposted: [400, 40_033, 'This message has already been crossposted.'],
  alreadyAcknowledged: [400, 40_060, 'Interaction has already been acknowledged.'],
  tagNamesNotUnique: [400, 40_061, 'Tag names must be unique'],
  tagForModerators: [403, 40_066, 'There are no tags available that can be set by non-moderators'],
  tagRequired: [400, 40_067, 'A tag is required to create a forum post in this channel'],
  missingAccess: [403, 50_001, 'Missing Access'],
  notOnDm: [403, 50_003, 'Cannot execute action on a DM channel'],
  widgetDisabled: [403, 50_004, 'Guild widget disabled'],
  notYourMessage: [403, 50_005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50_006, 'Cannot send an empty message'],
  cannotMessageUser: [403, 50_007, 'Cannot send messages to this user'],
  notInTextChannel: [400, 50_008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50_013, 'Missing Permissions'],
  pinnedElsewhere: [400, 50_019, 'A message can only be pinned in the channel it was sent in'],
  systemMessage: [403, 50_021, 'Cannot execute action on a system message'],
  wrongChannelType: [400, 50_024, 'Cannot execute action on this channel type'],
  invalidWebhookToken: [401, 50_027, 'Invalid Webhook Token'],
  invalidRole: [400, 50_028, 'Invalid Role'],
  tooOldToDelete: [400, 50_034, 'A message provided was too old to bulk delete'],
  invalidForm: [400, 50_035, 'Invalid Form Body'],
  invalidGuild: [400, 50_055, 'Invalid Guild'],
  neededForCommunity: [400, 50_074, 'Cannot delete a channel required for Community guilds'],
  archivedThread: [400, 50_083, 'Thread is archived'],
  textChannelsForCommunity: [400, 50_086, 'Community server channels must be text channels'],
  invalidJson: [400, 50_109, 'The request body contains invalid JSON.'],
  needsMoreBoosts: [403, 50_101, 'This server needs more boosts to perform this action'],
  ownershipToBot: [400, 50_132, 'Ownership cannot be transferred to a bot user'],
  entryPointRemoved: [
    400,
    50_240,
    "You cannot remove this app's Entry Point command in a bulk update operation. Include the Entry Point command in your update request or delete it separately.",
  ],
  stageAlreadyOpen: [400, 150_006, 'The Stage is already open'],
  threadExists: [400, 160_004, 'A thread has already been created for this message'],
  threadLocked: [400, 160_005, 'Thread is locked'],
  tooManyThreads: [400, 160_006, 'Maximum number of active threads reached'],
  finishedEvent: [400, 180_000, 'Cannot update a finished event'],
  blockedByAutomod: [400, 200_000, 'Message was blocked by automatic moderation'],
  titleBlockedByAutomod: [400, 200_001, 'Title was blocked by automatic moderation'],
  webhookNeedsThread: [400, 220_001, 'Webhooks posted to forum channels must have a thread_name or thread_id'],
  webhookThreadTwice: [400, 220_002, 'Webhooks posted to forum channels cannot have both a thread_name and thread_id'],
  webhookNoForum: [400, 220_003, 'Webhooks can only create threads in forum channels'],
  pollExpired: [400, 520_001, 'Poll expired'],
  bulkBanFailed: [400, 500_000, 'Failed to ban users'],
} as const satisfies Record<string, readonly [status: number, code: number, message: string]>

export type DiscordErrorName = keyof typeof KNOWN

/** A tree of what is wrong with a body, as Discord nests it: `{ content: { _errors: [{ code, message }] } }`. */
export interface FormErrors {
  [field: string]: FormErrors | readonly { readonly code: string; readonly message: string }[]
}

/** Something Discord would refuse, with the status, code and words it would use. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError'
  readonly status: number
  readonly code: number
  readonly errors: FormErrors | undefined

  constructor(kind: DiscordErrorName, errors?: FormErrors) {
    const [status, code, message] = KNOWN[kind]
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
  }
}

/** @throws {DiscordError} for what does not exist. */
export function mustFind<T>(found: T | null | undefined, otherwise: DiscordErrorName): T {
  if (!found) throw new DiscordError(otherwise)
  return found
}

/** An invalid body of which one field is to blame. `path` may be nested: `embeds.0.title`. */
export function invalidForm(path: string, code: string, message: string): DiscordError {
  let errors: FormErrors = { _errors: [{ code, message }] }
  for (const part of path.split('.').toReversed()) errors = { [part]: errors }
  return new DiscordError('invalidForm', errors)
}
