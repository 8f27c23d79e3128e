import type { Localised } from '../../../bot/commands/i18n/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import type { PlayerWords } from './words.ts'

export const WORDS: Localised<PlayerWords> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }
