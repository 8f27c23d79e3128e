import type { Localised } from '../../i18n/languages.ts'
import type { Acts } from './acts.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'

export const ACTS: Localised<Acts> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }
