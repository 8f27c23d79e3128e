import { Fault, type FaultCode } from '../../../lib/errors.ts'
import { plain } from '../core/embed-format.ts'
import { command } from '../core/command.ts'
import { choice, flag, optional, text, labelOf } from '../core/options.ts'
import { Refusal, say } from '../core/reply.ts'
import { plainQuery } from '../../../lib/music/plain-query.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const screenshotText = textOf('renders', 'screenshot')

type ScreenshotWords = (typeof screenshotText)['en']['words']

const COLOUR = 0x5865f2
const FILE = 'screenshot.png'

/** A website as it looks. Managers of the server can switch it off: see `/settings screenshots`. */
export const screenshot = command({
  name: 'screenshot',
  labels: labelOf(screenshotText),
  rule: 'anyone',
  options: {
    url: text({ max: 2000 }),
    device: optional(choice(['desktop', 'mobile'])),
    fullpage: optional(flag()),
  },
  async run({ options, language, scope: { projectId, botId }, guildId }, { renders, settings }) {
    const words = screenshotText[language].words
    const { screenshots } = await settings.get(botId, guildId)
    if (!screenshots) throw new Refusal(words.screenshotsOff)
    const url = withScheme(plainQuery(options.url))
    const host = URL.parse(url)?.host
    if (!host) throw new Refusal(words.badAddress)
    const input = { projectId, guildId, url, device: options.device ?? 'desktop', fullpage: options.fullpage ?? false }
    const data = await renders.screenshot(input).catch((error: unknown) => {
      throw refusalOf(error, words, plain(host, 100))
    })
    const embed = { description: `🌐 ${plain(host, 200)}`, color: COLOUR, image: { url: `attachment://${FILE}` } }
    return say({ embeds: [embed], files: [{ name: FILE, data }] })
  },
})

/** Members write `example.org`. */
function withScheme(address: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
}

function refusalOf(error: unknown, words: ScreenshotWords, host: string): unknown {
  if (!(error instanceof Fault)) return error
  const text = WORDS_OF[error.code]?.(words, host)
  return text === undefined ? error : new Refusal(text)
}

/** What failures mean here. Others have their words already. */
const WORDS_OF: Partial<Record<FaultCode, (words: ScreenshotWords, host: string) => string>> = {
  validation_error: ({ badAddress }) => badAddress,
  bad_request: ({ badAddress }) => badAddress,
  not_found: ({ notShown }, host) => notShown({ host }),
  upstream_failed: ({ notShown }, host) => notShown({ host }),
  timed_out: ({ tooSlow }, host) => tooSlow({ host }),
  conflict: ({ tooLarge }) => tooLarge,
}
