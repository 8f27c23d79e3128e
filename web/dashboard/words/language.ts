export type { PageLanguage } from '../../../lib/texts/languages.ts'
