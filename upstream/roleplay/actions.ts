export const PROVIDERS = ['otakugifs', 'purrbot', 'nekosbest'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** Name of an action at each provider; a provider that is not listed does not have it. */
type Names = Readonly<Partial<Record<ProviderName, string>>>

const everywhere = (name: string): Names => ({ otakugifs: name, purrbot: name, nekosbest: name })
const withoutPurrBot = (name: string): Names => ({ otakugifs: name, nekosbest: name })

const WITHOUT_PURRBOT =
  'wave wink punch handhold facepalm laugh sleep stare shrug happy confused clap nom thumbsup yawn smug run'.split(' ')

/**
 * The actions that are offered. A caller's text is looked up here and never becomes part of an address: the services
 * have content besides that is not for everybody.
 */
export const ACTIONS: ReadonlyMap<string, Names> = new Map<string, Names>([
  ...['hug', 'kiss', 'pat', 'slap', 'cuddle', 'poke', 'tickle', 'bite', 'blush', 'cry', 'dance', 'smile', 'pout'].map(
    (name) => [name, everywhere(name)] as const,
  ),
  ['lick', { otakugifs: 'lick', purrbot: 'lick' }],
  ['angry', { otakugifs: 'mad', purrbot: 'angry', nekosbest: 'angry' }],
  ['highfive', { otakugifs: 'brofist', nekosbest: 'highfive' }],
  ...WITHOUT_PURRBOT.map((name) => [name, withoutPurrBot(name)] as const),
])

export const ACTION_NAMES: readonly string[] = [...ACTIONS.keys()].toSorted()

/** The action that a caller means by `High-Five`; null if there is none. */
export function findAction(text: string): string | null {
  const name = text.toLowerCase().replaceAll(/[\s_-]/g, '')
  return ACTIONS.has(name) ? name : null
}
