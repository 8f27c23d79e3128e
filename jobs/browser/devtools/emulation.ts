import type { DevToolsSession } from './connection.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** What a page takes its reader for. */
export interface PageOptions {
  readonly viewport?: Size
  readonly screen?: Size
  readonly deviceScaleFactor?: number
  readonly isMobile?: boolean
  readonly hasTouch?: boolean
  readonly userAgent?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly reducedMotion?: 'reduce'
  /** It has no way to the network at all. */
  readonly offline?: boolean
}

const VIEWPORT = { width: 1280, height: 720 }
/** The families that pages mean by these words on Linux. */
const FONT_FAMILIES = {
  standard: 'Times New Roman',
  fixed: 'Monospace',
  serif: 'Times New Roman',
  sansSerif: 'Arial',
  cursive: 'Comic Sans MS',
  fantasy: 'Impact',
}
const OFFLINE = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

/** Of frames, those in processes of their own, which are targets of their own. */
export type TargetKind = 'page' | 'iframe' | 'worker'

/** Sends a target what it needs for this, without waiting in between. */
export function emulate(session: DevToolsSession, options: PageOptions, kind: TargetKind): Promise<unknown>[] {
  const { userAgent, offline = false, hasTouch = false } = options
  const sent: Promise<unknown>[] = []
  if (offline) sent.push(session.send('Network.emulateNetworkConditions', OFFLINE))
  if (userAgent) {
    const userAgentMetadata = describeSystem(userAgent, options.isMobile ?? false)
    sent.push(session.send('Emulation.setUserAgentOverride', { userAgent, userAgentMetadata }))
  }
  if (kind === 'worker') return sent
  sent.push(session.send('Emulation.setEmulatedMedia', { media: '', features: mediaFeatures(options) }))
  sent.push(session.send('Page.setFontFamilies', { fontFamilies: FONT_FAMILIES }))
  if (hasTouch) sent.push(session.send('Emulation.setTouchEmulationEnabled', { enabled: true }))
  if (kind === 'iframe') return sent
  sent.push(session.send('Emulation.setDeviceMetricsOverride', metrics(options)))
  // Pages that are not in view draw less often.
  sent.push(session.send('Emulation.setFocusEmulationEnabled', { enabled: true }))
  return sent
}

function mediaFeatures({ colorScheme = 'light', reducedMotion }: PageOptions) {
  return [
    { name: 'prefers-color-scheme', value: colorScheme },
    { name: 'prefers-reduced-motion', value: reducedMotion ?? 'no-preference' },
  ]
}

function metrics({ viewport = VIEWPORT, screen = viewport, deviceScaleFactor = 1, isMobile = false }: PageOptions) {
  const isPortrait = isMobile && screen.width <= screen.height
  const type = isPortrait ? 'portraitPrimary' : 'landscapePrimary'
  return {
    mobile: isMobile,
    width: viewport.width,
    height: viewport.height,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor,
    screenOrientation: { angle: isMobile && !isPortrait ? 90 : 0, type },
  } as const
}

/** The client hints that go with a user agent. */
function describeSystem(userAgent: string, mobile: boolean) {
  const [, android] = /Android (\d+(?:\.\d+){0,2})/.exec(userAgent) ?? []
  const system = android
    ? { platform: 'Android', platformVersion: android, architecture: 'arm' }
    : { platform: 'Linux', platformVersion: '', architecture: 'x86' }
  return { mobile, model: '', ...system }
}
