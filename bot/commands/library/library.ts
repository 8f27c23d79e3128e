import { unplayable } from '../../../lib/errors.ts'
import type { ListKind } from '../../sources/source.ts'
import { command, commandGroup, subcommand } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { optional, text, whole, labelsOf } from '../core/options.ts'
import { runPlay } from '../playback/play.ts'
import { plainQuery } from '../../../lib/music/plain-query.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const libraryText = textOf('library', 'library')

const MOST_SUGGESTED = 20
const MOST_EPISODES = 20
/** The directory of podcasts allows few calls a minute. */
const FEWEST_LETTERS = 3

/** Albums, artists and playlists of the library and of the operator's music servers. */
export const library = commandGroup({
  name: 'library',
  labels: labelsOf(libraryText, 'library'),
  subcommands: { artist: listCommand('artist'), album: listCommand('album'), playlist: listCommand('playlist') },
})

/** The newest episodes of a show. */
export const podcast = command({
  name: 'podcast',
  labels: labelsOf(libraryText, 'podcast'),
  rule: 'joiner',
  options: {
    show: text({ max: 500, suggest: suggestShows }),
    episodes: optional(whole({ min: 1, max: MOST_EPISODES })),
  },
  async run(invocation, context) {
    const { show, episodes } = invocation.options
    const address = plainQuery(show)
    const isAddress = /^(?:https?|podcast(?:\+http)?|feed):\/\//iu.test(address)
    const uri = isAddress ? address : await uriOf(context, 'podcast', show)
    // Limits a feed to that many of its newest episodes.
    const [feed = ''] = uri.split('#', 1)
    const query = `${feed}#newest=${episodes ?? 1}`
    return runPlay(invocation, context, { query })
  },
})

function listCommand(kind: Exclude<ListKind, 'podcast'>) {
  return subcommand({
    rule: 'joiner',
    options: { name: text({ max: 100, suggest: (typed, _, context) => suggestLists(context, kind, typed) }) },
    async run(invocation, context) {
      return runPlay(invocation, context, { query: await uriOf(context, kind, invocation.options.name) })
    },
  })
}

/** Address of the chosen list, or else of the first that has the words. @throws {Fault} `nothing_found`. */
async function uriOf({ music, suggestions }: CommandContext, kind: ListKind, chosen: string): Promise<string> {
  const taken = suggestions.takeList(chosen)
  if ('uri' in taken) return taken.uri
  const words = taken.query.trim()
  const [first] = words === '' ? [] : await music.lists({ kind, text: words, limit: 1, offset: 0 })
  if (!first) throw unplayable('Nothing of this name was found.', 'nothing_found')
  return first.uri
}

async function suggestShows(typed: string, _: Invocation, context: CommandContext) {
  const isAddress = /^\w+:/u.test(typed)
  return isAddress || typed.trim().length < FEWEST_LETTERS ? [] : suggestLists(context, 'podcast', typed)
}

async function suggestLists({ music, suggestions }: CommandContext, kind: ListKind, typed: string) {
  const found = await music.lists({ kind, text: typed.trim(), limit: MOST_SUGGESTED, offset: 0 })
  return found.map((list) => suggestions.toListChoice(list))
}
