import type { Language, Localised } from '../i18n/languages.ts'
import { cardControlsText } from '../card/card-controls-text.ts'
import { cardText } from '../card/card-text.ts'
import { botsText } from '../interactions/bots-text.ts'
import { imageText } from '../images/image-text.ts'
import { favouritesText } from '../library/favourites-text.ts'
import { playlistText } from '../library/playlist-text.ts'
import { lyricsText } from '../lyrics/lyrics-text.ts'
import { permissionText } from '../../permissions/permission-text.ts'
import { voteText } from '../permissions/vote-text.ts'
import { controlText } from '../playback/controls-text.ts'
import { playText } from '../playback/play-text.ts'
import { sleepText } from '../sound/sleep-text.ts'
import { skipText } from '../playback/skip-text.ts'
import { addFormText } from '../queue/add-form-text.ts'
import { queueText } from '../queue/queue-text.ts'
import { setupText } from '../requests/setup-text.ts'
import { standingCardText } from '../requests/standing-card-text.ts'
import { segmentText } from '../settings/segment-text.ts'
import { settingsText } from '../settings/settings-text.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import type { CommonWords } from './words.ts'

const COMMON: Localised<CommonWords> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }

function wordsIn(language: Language) {
  return {
    ...COMMON[language],
    bots: botsText[language].words,
    play: playText[language].words,
    skip: skipText[language].words,
    sleep: sleepText[language].words,
    control: controlText[language].words,
    queue: queueText[language].words,
    adding: addFormText[language].words,
    card: cardText[language].words,
    controls: cardControlsText[language].words,
    setup: setupText[language].words,
    standing: standingCardText[language].words,
    lyrics: lyricsText[language].words,
    favourites: favouritesText[language].words,
    playlist: playlistText[language].words,
    segments: segmentText[language],
    settings: settingsText[language].words,
    permissions: permissionText[language],
    vote: voteText[language].words,
    picture: imageText[language].words,
  }
}

/** All that the bot says in one language. */
export type Words = ReturnType<typeof wordsIn>

export const WORDS: Localised<Words> = {
  en: wordsIn('en'),
  de: wordsIn('de'),
  fr: wordsIn('fr'),
  'es-ES': wordsIn('es-ES'),
  'pt-BR': wordsIn('pt-BR'),
  ja: wordsIn('ja'),
}
