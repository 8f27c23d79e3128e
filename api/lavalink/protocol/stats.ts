/** Frames in the last minute: the mean over the playing players of a session. */
export interface FrameStats {
  readonly sent: number
  readonly nulled: number
  /** 3,000 frames in a minute less those sent and nulled. */
  readonly deficit: number
}

export interface StatsObject {
  readonly players: number
  readonly playingPlayers: number
  readonly uptime: number
  /** Bytes. */
  readonly memory: {
    readonly free: number
    readonly used: number
    readonly allocated: number
    readonly reservable: number
  }
  /** Loads from 0 to 1. */
  readonly cpu: { readonly cores: number; readonly systemLoad: number; readonly lavalinkLoad: number }
  /** Null from `GET /v4/stats` and where nothing plays. */
  readonly frameStats: FrameStats | null
}
