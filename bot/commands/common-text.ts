import type { Language, Localised } from '../../lib/texts/languages.ts'
import { lazily, textOf, textsOf } from '../../lib/texts/texts.ts'

function wordsIn(language: Language) {
  const say = <const T>(all: Localised<{ readonly words: T }>): T => all[language].words
  return {
    ...textsOf('common')[language],
    bots: say(textOf('interactions', 'bots')),
    play: say(textOf('playback', 'play')),
    skip: say(textOf('playback', 'skip')),
    sleep: say(textOf('sound', 'sleep')),
    control: say(textOf('playback', 'control')),
    queue: say(textOf('queue', 'queue')),
    adding: say(textOf('queue', 'addForm')),
    card: say(textOf('card', 'card')),
    controls: say(textOf('card', 'cardControls')),
    setup: say(textOf('requests', 'setup')),
    standing: say(textOf('requests', 'standingCard')),
    lyrics: say(textOf('lyrics', 'lyrics')),
    favourites: say(textOf('library', 'favourites')),
    playlist: say(textOf('library', 'playlist')),
    segments: textOf('settings', 'segment')[language],
    settings: say(textOf('settings', 'settings')),
    permissions: textOf('permissions', 'permission')[language],
    vote: say(textOf('permissions', 'vote')),
    picture: say(textOf('images', 'image')),
  }
}

/** All that the bot says in one language. */
export type Words = ReturnType<typeof wordsIn>

export const WORDS: Localised<Words> = lazily(wordsIn)
