import { Fault } from '../../../lib/errors.ts'
import { TranslationQuery, type TranslationResult } from '../../../upstream/translation/schemas.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { menuCommand } from '../core/menu-command.ts'
import { input, optional, type Suggest, labelsOf } from '../core/options.ts'
import { Refusal, say, replyPrivately } from '../core/reply.ts'
import { lookUp } from '../core/lookup.ts'
import { capitalised, description, matchingByName } from '../core/embed-format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const translateText = textOf('translation', 'translate')

const LONGEST_TEXT = 2000
const COLOUR = 0x4c7bd9

const suggestLanguages: Suggest = async (typed, { language }, { utilities }) => {
  const all = await utilities.translation.languages()
  return matchingByName(
    all.map(({ code }) => ({ name: nameLanguage(code, language), value: code })),
    { typed, language },
  )
}

export const translate = command({
  name: 'translate',
  labels: labelsOf(translateText, 'translate'),
  rule: 'anyone',
  options: {
    text: input(TranslationQuery.shape.text, { max: LONGEST_TEXT }),
    to: optional(input(TranslationQuery.shape.to, { suggest: suggestLanguages })),
    from: input(TranslationQuery.shape.from, { suggest: suggestLanguages }),
  },
  async run(invocation, context) {
    const { options } = invocation
    const to = options.to ?? (await ownLanguage(invocation, context))
    const done = await ask({ ...options, to }, invocation, context)
    return say({
      embeds: [{ description: description(done.translatedText), color: COLOUR, footer: footer(done, invocation) }],
    })
  },
})

/** What the message says, in the language of the member who asks, visible to them alone. */
export const translateMessage = menuCommand({
  name: 'Translate',
  labels: labelsOf(translateText, 'translateMenu'),
  rule: 'anyone',
  isPrivate: true,
  async run(invocation, context) {
    const { text: original, author, url } = invocation.options
    const words = translateText[invocation.language].words
    if (original === '') throw new Refusal(words.noText)
    const request = { text: original.slice(0, LONGEST_TEXT), to: await ownLanguage(invocation, context), from: 'auto' }
    const done = await ask(request, invocation, context)
    const embed = {
      author: { name: author },
      description: description(`${done.translatedText}\n\n-# [${words.original}](${url})`),
      color: COLOUR,
      footer: footer(done, invocation),
    }
    return replyPrivately({ embeds: [embed] })
  },
})

async function ask(request: TranslationQuery, { language }: Invocation, { utilities }: CommandContext) {
  const words = translateText[language].words
  try {
    const looking = { missing: words.unknownLanguage, invalid: words.unknownLanguage }
    return await lookUp(utilities.translation.translate(request), looking)
  } catch (error) {
    if (error instanceof Fault && error.reason === 'not_configured') throw new Refusal(words.notConfigured)
    throw error
  }
}

/** The language of the member's app, where the translator knows it; else the one that they are answered in. */
async function ownLanguage({ locale, language }: Invocation, { utilities }: CommandContext): Promise<string> {
  const known = new Set((await utilities.translation.languages()).map(({ code }) => code.toLowerCase()))
  const wanted = [locale, locale.split('-')[0] ?? locale].find((code) => known.has(code.toLowerCase()))
  return wanted ?? language.split('-')[0] ?? language
}

function footer({ sourceLanguage, targetLanguage }: TranslationResult, invocation: Invocation) {
  const [from, to] = [sourceLanguage, targetLanguage].map((code) => nameLanguage(code, invocation.language))
  return { text: sourceLanguage === 'und' ? `→ ${to}` : `${from} → ${to}` }
}

function nameLanguage(code: string, language: string): string {
  try {
    return capitalised(new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code, language)
  } catch {
    return code
  }
}
