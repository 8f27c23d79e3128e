import type { APIEmbed } from 'discord.js'
import { Fault } from '../../../lib/errors.ts'
import type { Lookups } from '../../../upstream/lookups.ts'
import type { Language, Localised } from '../../../lib/texts/languages.ts'
import type { HandlerSpec } from './command.ts'
import { Refusal, say, type Content } from './reply.ts'
import type { Options, Values } from './options.ts'

/** In the member's words: not found, and not a valid name. */
interface LookUpWords {
  readonly missing: string
  readonly invalid: string
}

interface LookupSpec<W, O extends Options, T> {
  /** Inputs of the lookup’s route: see `input`. */
  readonly options: O
  /** @param projectId whose share of the work it is */
  readonly find: (options: Values<O>, lookups: Lookups, projectId: string) => Promise<T>
  readonly refuse: (words: W, options: Values<O>) => LookUpWords
  readonly draw: (found: T, reader: Reader<W>) => APIEmbed
  readonly attach?: (found: T) => Content['files']
}

export interface Reader<W> {
  readonly words: W
  readonly language: Language
  readonly lookups: Lookups
}

/** A command, or a subcommand, that shows everyone what a lookup finds. */
export function lookupHandler<W, O extends Options, T>(
  text: Localised<{ readonly words: W }>,
  { options, find, refuse, draw, attach }: LookupSpec<W, O, T>,
): HandlerSpec<O> {
  return {
    rule: 'anyone',
    options,
    async run({ options: given, language, scope }, { utilities: lookups }) {
      const { words } = text[language]
      const found = await lookUp(find(given, lookups, scope.projectId), refuse(words, given))
      return say({ embeds: [draw(found, { words, language, lookups })], files: attach?.(found) ?? [] })
    },
  }
}

/** What a lookup finds. Everything that may fail elsewhere has its words already: see `explain`. @throws {Refusal} */
export async function lookUp<T>(work: Promise<T>, { missing, invalid }: LookUpWords): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code === 'not_found') throw new Refusal(missing)
    if (error.code === 'bad_request' || error.code === 'validation_error') throw new Refusal(invalid)
    throw error
  }
}
