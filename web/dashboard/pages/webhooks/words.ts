import type { Words } from '../../words/language.ts'
import { de } from './words-de.ts'
import { en, type WebhookWords } from './words-en.ts'

export const WEBHOOKS: Words<WebhookWords> = { en, de }
