// Rejects forms of sentences that read as if they were translated: which of them, why, and what to write instead.

/** `text`: people read it on a page, in Discord, in an error or on the command line. */
export type Place = 'text' | 'document'

interface Form {
  readonly name: string
  readonly pattern: RegExp
  readonly instead: string
  /** Only where people act on a text; a document may also say "is not" for weight. */
  readonly only?: Place
  readonly caught: string
  readonly better: string
}

/** Each with a sentence that it catches, and the better one that it lets pass. */
export const FORMS: readonly Form[] = [
  {
    name: 'a space before the percent sign',
    pattern: /[\d}][ \u00a0\u202f]%/u,
    instead: 'English writes 50%.',
    caught: 'Volume: 100 %',
    better: 'Volume: 100%',
  },
  {
    name: 'no contraction',
    pattern: /\b(?:cannot|(?:is|are|was|were|do|does|did|has|have|had|could|would|should|will) not)\b/iu,
    instead: "Write can't, isn't, doesn't: texts speak to a person.",
    only: 'text',
    caught: 'This link is not public, so I cannot open it.',
    better: "This link isn't public, so I can't open it.",
  },
  {
    name: 'a German genitive',
    pattern:
      /\b(?:[Ss]ettings|[Pp]layer|[Ll]imit|[Aa]llowlist|[Tt]oken|[Hh]ost|[Ww]eb player) of (?:this|your|class|the (?:bot|key|server|project|service|page))\b/u,
    instead: "Write this server's settings, your key's allowlist, the limit for class cheap.",
    caught: 'Rate limit of class cheap exceeded.',
    better: 'Over the limit for class cheap.',
  },
  {
    name: '"the most" for a limit',
    pattern: /\b(?:are|is) the most(?:[.,;:)]|$)/u,
    instead: 'Write that the limit is reached, with the limit.',
    caught: 'This key already has 20 players here; 20 are the most.',
    better: 'Player limit reached (20).',
  },
  {
    name: 'an uncounted plural',
    pattern: /\p{L}\(e?s\)/u,
    instead: 'Choose the singular or plural by the count.',
    caught: 'Removed {{count}} track(s).',
    better: 'Removed {{count}} tracks.',
  },
  {
    name: 'a count without commas',
    pattern: /(?:^|[\s(])\d{4,} (?:bytes|characters|items|members|requests|rows|songs|tracks)\b/u,
    instead: 'Group the digits: 5,000 tracks.',
    caught: 'The queue has 5000 tracks.',
    better: 'The queue has 5,000 tracks.',
  },
  {
    name: 'a noun fragment as a hint',
    pattern: /(?:^|[.!?(] ?)(?:Best|Else|Otherwise|Default): /u,
    instead: 'Write a sentence: … work well; Defaults to ….',
    only: 'text',
    caught: 'At least 12 characters. Best: a few unrelated words.',
    better: 'At least 12 characters. A few random words work well.',
  },
  {
    name: 'a clause for a noun',
    pattern: /(?:^|[.!?:] )(?:What|Who|Whom|Whose|Which|By which|To what|Of what) [^?.!:]*[.!](?:\s|$)/u,
    instead: 'Name the thing, or the actor.',
    caught: 'What plays or waits has changed.',
    better: 'The queue changed.',
  },
  {
    name: 'a fragment for a sentence',
    pattern: /(?:^|[.!?] )(?:Of (?:a|all|an|its?|the|these|those|which)|Those (?:of|that|who)|One that|Such that)\b/u,
    instead: 'Start with the noun or the verb.',
    caught: 'Of these, playing now.',
    better: 'Players that are playing.',
  },
  {
    name: '"former"',
    pattern: /\bformer\b/iu,
    instead: 'Write previous.',
    caught: 'Go back to the former release.',
    better: 'Go back to the previous release.',
  },
  {
    name: '"in the meantime"',
    pattern: /\bin the meantime\b/iu,
    instead: 'Leave it out, or write since then.',
    caught: 'The queue has changed in the meantime.',
    better: 'The queue changed.',
  },
  {
    name: '"already" at the end',
    pattern: /\balready(?:[.,;:!)]|$)/u,
    instead: 'Write already exists, already has, is already running.',
    caught: 'backup.db exists already.',
    better: 'backup.db already exists.',
  },
  {
    name: '"not … any more"',
    pattern: /\bany ?more(?:[.,;)]|$)/u,
    instead: 'Write no longer.',
    caught: "The key doesn't work any more.",
    better: 'The key no longer works.',
  },
  {
    name: '"is no"',
    pattern: /\b(?:this|that|it|they|these|those|which|X\d+) (?:is|are) no (?:[a-km-z]|l[a-np-z])/iu,
    instead: "Write isn't a, aren't.",
    caught: 'This is no game server.',
    better: "This isn't a game server.",
  },
  {
    name: '"switch" for on and off',
    pattern: /\bswitch(?:ed|es|ing)? (?:(?:it|them|this) )?(?:on|off)\b/iu,
    instead: 'Write turn on, turn off: one word for one thing.',
    caught: 'YouTube is switched off on this node.',
    better: 'YouTube is turned off on this node.',
  },
  {
    name: '"answer" for a machine',
    pattern: /\b(?:does|did|do)(?:n't| not) answer\b/u,
    instead: 'Services respond; people answer.',
    caught: "The database doesn't answer.",
    better: "The database doesn't respond.",
  },
  {
    name: 'a colon for "because"',
    pattern: /[\p{Ll})]: (?:it|they|otherwise|without (?:it|them)|since) \p{Ll}/u,
    instead: 'Write since, because, so, or start a new sentence.',
    caught: 'The link is secret: it signs you in.',
    better: "Don't share the link, since it signs you in.",
  },
]

/** Returns the forms in an English text, as sentences. */
export function rejectedForms(text: string, place: Place): readonly string[] {
  return FORMS.filter(({ only, pattern }) => (only ?? place) === place && pattern.test(text)).map(
    ({ name, instead, pattern }) => `“${pattern.exec(text)?.[0].trim()}” is ${name}. ${instead}`,
  )
}

const FULL = /\b(?:cannot|(?:is|are|was|were|do|does|did|has|have|had|could|would|should|will) not)\b/giu
const CONTRACTED = /\b(?:can|is|are|was|were|do|does|did|has|have|had|could|would|should|wo)n['’]t\b|\bcan['’]t\b/giu

/** Returns how many negations of a document are contracted, from 0 to 1; 1 without any. */
export function contractedShare(text: string): number {
  const [full, contracted] = [text.match(FULL)?.length ?? 0, text.match(CONTRACTED)?.length ?? 0]
  return full + contracted === 0 ? 1 : contracted / (full + contracted)
}
