import type { Words } from '../../words/language.ts'
import { OVERVIEW_DE } from './words-de.ts'
import { OVERVIEW_EN, type OverviewWords } from './words-en.ts'

export const OVERVIEW: Words<OverviewWords> = { en: OVERVIEW_EN, de: OVERVIEW_DE }
