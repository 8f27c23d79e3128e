import { WORDS } from '../../../bot/commands/common-text.ts'
import { drawCard, type CardFacts } from '../../../bot/commands/card/card.ts'
import { drawMorePanel, drawPrivacyCode } from '../../../bot/commands/card/more-panel.ts'
import type { Content } from '../../../bot/commands/core/reply.ts'
import { drawStandingCard } from '../../../bot/commands/requests/standing-card.ts'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import { toTrack, type EncodedTrack, type TrackInfo } from '../../../bot/tracks/track.ts'

/** Scenes of cards: each state once, and each language at least once. */
export function cardScenes({ memberId, channelId, covers }: Sample): Readonly<Record<string, Content>> {
  const { player, requesters } = sampleFacts({ memberId, channelId, covers })
  const facts = (change: Partial<CardFacts['player']>, by: string | null = memberId): CardFacts => ({
    player: { ...player, ...change },
    requesters: { ...requesters, current: by },
    nextTrack: null,
  })
  const radio = track({ title: 'Harbour FM', author: '', lengthMs: 0, sourceName: 'radio', isStream: true })
  return {
    'playing · en': drawCard(facts({}), WORDS.en),
    'paused, repeated · de': drawCard(facts({ paused: true, loop: 'track', volume: 60 }), WORDS.de),
    'radio, muted by a moderator · fr': drawCard(
      facts({ current: radio, queue: [], streamTitle: 'Nils Frahm – Says', silenced: 'serverMute', muted: true }),
      WORDS.fr,
    ),
    'chosen by autoplay · ja': drawCard(
      facts(
        {
          queue: [],
          suggestion: player.queue[0] ?? null,
          recommendation: { provider: 'history', because: 'artist', of: 'Low Tide' },
        },
        null,
      ),
      WORDS.ja,
    ),
    'More · en': drawMorePanel({ ...player, autoplay: true }, WORDS.en),
    'encryption code · es': drawPrivacyCode('918273645546372819100112358132', WORDS['es-ES']),
    'request channel, nothing plays · pt': drawStandingCard(null, WORDS['pt-BR'], false),
    'request channel · en': drawStandingCard(facts({}), WORDS.en, true),
  }
}

export interface Sample {
  readonly memberId: string
  readonly channelId: string
  /** URLs of pictures. */
  readonly covers: readonly string[]
}

/** The state of a player, as far as a card reads it. */
function sampleFacts({ memberId, channelId, covers }: Sample): CardFacts {
  const current = track({
    title: 'Lanterns on the Water',
    author: 'Low Tide',
    lengthMs: 214_000,
    sourceName: 'soundcloud',
    artworkUrl: covers[0] ?? null,
  })
  const queue = [
    track({ title: 'Night Ferry', author: 'Low Tide', lengthMs: 187_000, sourceName: 'local' }),
    track({
      title: 'A Very Long Title about Ropes, Rust and the Weather of the Northern Coast (Live at the Old Pier)',
      author: 'The Moorings',
      lengthMs: 425_000,
      sourceName: 'youtube',
    }),
    track({ title: 'Gulls', author: 'Aiko & the Swell', lengthMs: 156_000, sourceName: 'bandcamp' }),
  ]
  return {
    player: {
      node: { id: 'audio-1' },
      botId: '900000000000000001',
      sleep: null,
      chapters: [],
      segments: [],
      channelId,
      paused: false,
      positionMs: 97_000,
      volume: 100,
      muted: false,
      loop: 'off',
      current,
      queue,
      streamTitle: null,
      privacyCode: '918273645546372819100112358132',
      silenced: null,
      filters: {},
      autoplay: false,
      suggestion: null,
      recommendation: null,
    } as unknown as CardFacts['player'],
    requesters: { current: memberId, queue: [memberId, null, memberId] },
    nextTrack: null,
  }
}

function track(
  named: Pick<TrackInfo, 'title' | 'author' | 'lengthMs' | 'sourceName'> & Partial<TrackInfo>,
): EncodedTrack {
  const { title, sourceName } = named
  const uri = sourceName === 'local' ? null : `https://${sourceName}.example/${encodeURIComponent(title)}`
  const nothing = { artworkUrl: null, isStream: false, isrc: null, probe: null }
  const info: TrackInfo = { ...nothing, uri, identifier: title, ...named }
  return { ...toTrack(info), encoded: encodeToken(info) }
}
