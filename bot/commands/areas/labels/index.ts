import { pick, type Localised } from '../../i18n/languages.ts'
import type { Label } from '../../labels/label.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Labels } from './labels.ts'
import { pt } from './pt.ts'

const LABELS: Localised<Labels> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }

/** The label of a look-up's command in every language. */
export function areaLabels(command: keyof Labels): Localised<Label> {
  return pick(LABELS, (labels): Label => labels[command])
}
