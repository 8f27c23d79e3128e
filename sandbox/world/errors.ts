/** Discord's own codes, of those that the stand-in answers. */
const KNOWN = {
  general: [404, 0, '404: Not Found'],
  unauthorized: [401, 0, '401: Unauthorized'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  unknownApplication: [404, 10_002, 'Unknown Application'],
  unknownChannel: [404, 10_003, 'Unknown Channel'],
  unknownGuild: [404, 10_004, 'Unknown Guild'],
  unknownMember: [404, 10_007, 'Unknown Member'],
  unknownMessage: [404, 10_008, 'Unknown Message'],
  unknownRole: [404, 10_011, 'Unknown Role'],
  unknownUser: [404, 10_013, 'Unknown User'],
  unknownPollAnswer: [404, 10_102, 'Unknown Poll Answer'],
  unknownEmoji: [400, 10_014, 'Unknown Emoji'],
  unknownWebhook: [404, 10_015, 'Unknown Webhook'],
  unknownInteraction: [404, 10_062, 'Unknown interaction'],
  unknownCommand: [404, 10_063, 'Unknown application command'],
  unknownCommandPermissions: [404, 10_066, 'Unknown application command permissions'],
  unknownVoiceState: [404, 10_065, 'Unknown Voice State'],
  notForBots: [403, 20_001, 'Bots cannot use this endpoint'],
  tooManyPins: [400, 30_003, 'Maximum number of pinned messages reached (250)'],
  tooLarge: [413, 40_005, 'Request entity too large. Try sending something smaller'],
  notInVoice: [400, 40_032, 'Target user is not connected to voice.'],
  alreadyAcknowledged: [400, 40_060, 'Interaction has already been acknowledged.'],
  missingAccess: [403, 50_001, 'Missing Access'],
  notYourMessage: [403, 50_005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50_006, 'Cannot send an empty message'],
  wrongChannelType: [400, 50_024, 'Cannot execute action on this channel type'],
  missingPermissions: [403, 50_013, 'Missing Permissions'],
  pollExpired: [400, 520_001, 'Poll expired'],
  invalidWebhookToken: [401, 50_027, 'Invalid Webhook Token'],
  invalidForm: [400, 50_035, 'Invalid Form Body'],
  invalidJson: [400, 50_109, 'The request body contains invalid JSON.'],
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

/** An invalid body of which one field is to blame. `path` may be nested: `embeds.0.title`. */
export function invalidForm(path: string, code: string, message: string): DiscordError {
  let errors: FormErrors = { _errors: [{ code, message }] }
  for (const part of path.split('.').toReversed()) errors = { [part]: errors }
  return new DiscordError('invalidForm', errors)
}
