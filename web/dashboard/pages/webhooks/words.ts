import type { PageWords } from '../../words/language.ts'
import { de } from './words-de.ts'
import { en, type WebhookWords } from './words-en.ts'

export const WEBHOOKS: PageWords<WebhookWords> = { en, de }
