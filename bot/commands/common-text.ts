import type { Language, Localised } from '../../lib/texts/languages.ts'
import { lazily, textsOf } from '../../lib/texts/texts.ts'

function wordsIn(language: Language) {
  const card = textsOf('card')[language]
  const library = textsOf('library')[language]
  const permissions = textsOf('permissions')[language]
  const playback = textsOf('playback')[language]
  const queue = textsOf('queue')[language]
  const requests = textsOf('requests')[language]
  const settings = textsOf('settings')[language]
  return {
    ...textsOf('common')[language],
    bots: textsOf('interactions')[language].bots.words,
    play: playback.play.words,
    skip: playback.skip.words,
    sleep: textsOf('sound')[language].sleep.words,
    control: playback.control.words,
    queue: queue.queue.words,
    adding: queue.addForm.words,
    card: card.card.words,
    controls: card.cardControls.words,
    setup: requests.setup.words,
    standing: requests.standingCard.words,
    lyrics: textsOf('lyrics')[language].lyrics.words,
    favourites: library.favourites.words,
    playlist: library.playlist.words,
    segments: settings.segment,
    settings: settings.settings.words,
    permissions: permissions.permission,
    vote: permissions.vote.words,
    picture: textsOf('images')[language].image.words,
  }
}

/** All that the bot says in one language. */
export type Words = ReturnType<typeof wordsIn>

export const WORDS: Localised<Words> = lazily(wordsIn)
