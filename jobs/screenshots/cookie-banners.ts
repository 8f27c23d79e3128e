/** The fields used from DuckDuckGo's autoconsent rules: they locate a banner, but do not answer it. */
interface Rule {
  readonly prehideSelectors?: readonly string[]
  readonly runContext?: { readonly urlPattern?: string }
}

/** The library has these banners in its code instead of its rules. */
const IN_CODE = [
  '#onetrust-banner-sdk, #onetrust-consent-sdk, .onetrust-pc-dark-filter',
  '#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay, #dtcookie-container, #cookiebanner, #cb-cookieoverlay',
  '.trustarc-banner-container, .truste_popframe, .truste_overlay, .truste_box_overlay, #truste-consent-track',
  "div[id^='sp_message_container_'], #sp_privacy_manager_container",
  '#cmpbox, #cmpbox2',
  '#_evidon_banner, #_evidon-background',
  '.klaro',
  '.cmp-root',
  '#uniccmp, .unic .unic-box, .unic .unic-bar',
  'tiktok-cookie-banner',
]

interface Catalogue {
  readonly everywhere: string
  readonly somewhere: readonly { readonly pattern: RegExp; readonly selectors: readonly string[] }[]
}

let reading: Promise<Catalogue> | null = null

/** Selectors of the cookie banners that a page at this address may show, one a line. */
export async function bannersAt(url: string): Promise<string> {
  const { everywhere, somewhere } = await (reading ??= readCatalogue())
  return [everywhere, ...somewhere.flatMap(({ pattern, selectors }) => (pattern.test(url) ? selectors : []))].join('\n')
}

async function readCatalogue(): Promise<Catalogue> {
  const { default: bundle } = await import('@duckduckgo/autoconsent/rules/rules.json', { with: { type: 'json' } })
  const rules = (bundle.autoconsent as readonly Rule[]).filter(({ prehideSelectors }) => prehideSelectors?.length)
  return {
    everywhere: [...IN_CODE, ...rules.filter((rule) => !rule.runContext?.urlPattern).flatMap(selectorsOf)].join('\n'),
    somewhere: rules.flatMap((rule) => {
      const pattern = rule.runContext?.urlPattern
      if (!pattern) return []
      // linear: of the package alone, all of whose patterns were decided; they meet an address of bounded length.
      return [{ pattern: new RegExp(pattern), selectors: selectorsOf(rule) }]
    }),
  }
}

function selectorsOf({ prehideSelectors = [] }: Rule): readonly string[] {
  return prehideSelectors.map((selector) => selector.replaceAll('\n', ' '))
}
