import type { PageWords } from '../../words/language.ts'
import { OVERVIEW_DE } from './words-de.ts'
import { OVERVIEW_EN, type OverviewWords } from './words-en.ts'

export const OVERVIEW: PageWords<OverviewWords> = { en: OVERVIEW_EN, de: OVERVIEW_DE }
