import type { APIEmbed } from 'discord.js'
import { z } from 'zod'
import { When } from '../../player/inputs.ts'
import type { FoundEncodedTrack } from '../../find-tracks.ts'
import { SOURCE_FACTS, type SourceFacts } from '../../sources/settings.ts'
import { customId } from '../core/custom-id.ts'
import { component } from '../core/component.ts'
import { command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { description, matching, title } from '../core/embed-format.ts'
import { Refusal, replyPrivately } from '../core/reply.ts'
import { choice, optional, text, labelOf } from '../core/options.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import { runPlay } from '../playback/play.ts'
import { drawTrackMenu, playChosen } from './track-menu.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const searchText = textOf('search', 'search')

const MOST_FOUND = 10
const MENU_ID = customId('found', z.tuple([When]))

export const search = command({
  name: 'search',
  labels: labelOf(searchText),
  rule: 'anyone',
  isPrivate: true,
  options: {
    query: text({ max: 200 }),
    source: optional(text({ max: 50, suggest: suggestSources })),
    when: optional(choice(When.options)),
  },
  async run(invocation, context) {
    const { options, language, words } = invocation
    const q = options.query.trim()
    const source = options.source === null ? {} : { source: options.source }
    const found = q === '' ? [] : await context.music.search({ q, limit: MOST_FOUND, ...source })
    const own = searchText[language].words
    const menu = drawTrackMenu(
      { id: MENU_ID.of(options.when ?? 'last'), placeholder: `▶️ ${own.choose}`, live: words.card.live },
      found.map((track) => ({
        track,
        value: context.suggestions.toChoice(track).value,
        note: titleOf(track.source),
      })),
    )
    if (menu === null) throw new Refusal(words.failed.reasons.nothing_found)
    return replyPrivately({ embeds: [drawFound(found, own.title({ query: q }), words.card.live)], rows: [menu] })
  },
})

export const foundMenu = component({
  id: MENU_ID,
  rule: 'joiner',
  async run(invocation, context, { values }) {
    const [when] = invocation.options
    const chosen = values.map((value) => context.suggestions.take(value))
    const [only, ...others] = chosen
    // Results from before a restart have lost their tokens: one title may do.
    if (only && others.length === 0) return runPlay(invocation, context, { ...only, when })
    const tokens = chosen.flatMap((one) => ('encoded' in one ? [one.encoded] : []))
    if (tokens.length < values.length) throw new Refusal(invocation.words.refused.tooOld)
    return playChosen(invocation, context, tokens, when)
  },
})

function drawFound(found: readonly FoundEncodedTrack[], heading: string, live: string): APIEmbed {
  const lines = found.map((track, index) => {
    const length = track.isStream ? live : showTime(track.lengthMs)
    return `\`${index + 1}.\` ${nameTrack(track)} \`${length}\` · ${titleOf(track.source)}`
  })
  return { title: `🔎 ${title(heading)}`.slice(0, 256), description: description(lines.join('\n')) }
}

async function suggestSources(typed: string, _: Invocation, { music }: CommandContext) {
  const all = music.sourceNames.map((value) => ({ name: titleOf(value), value }))
  return matching(all, typed)
}

/** A source as members know it. */
function titleOf(source: string): string {
  const facts: Readonly<Record<string, SourceFacts>> = SOURCE_FACTS
  return facts[source]?.title ?? source
}
