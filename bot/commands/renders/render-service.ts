import type { Pose } from 'bandstand-figures/poses'
import type { BlockPlayer } from '../../../upstream/blockgame/players.ts'

/** Who asks: projects take turns in the queue, and a guild has a few jobs at a time. */
interface Wisher {
  readonly projectId: string
  readonly guildId: string
}

export interface FigureOptions extends Wisher {
  /** A player whose skin is known, or who wears a default one. */
  readonly player: BlockPlayer
  readonly pose: Pose
}

export interface ScreenshotWish extends Wisher {
  readonly url: string
  readonly device: 'desktop' | 'mobile'
  readonly fullpage: boolean
}

/** Pictures that workers make. Each is a PNG. */
export interface Renders {
  /** @throws {Fault} when it cannot be drawn. */
  figure(input: FigureOptions): Promise<Uint8Array>
  /** @throws {Fault} `validation_error` for an address that may not be visited; others when the page cannot be shown. */
  screenshot(input: ScreenshotWish): Promise<Uint8Array>
}
