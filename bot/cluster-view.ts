/** What other services of the installation are known to do at this moment. */
export interface ClusterView {
  /** The address of the service that runs a bot; null if none is known to. */
  runs(botId: string): string | null
  /** The bots of a project that run there. */
  botsOf(projectId: string): readonly string[]
  /** How many players a project has there. */
  players(projectId: string): number
}

/** There are no others. */
export const singleNode: ClusterView = { runs: () => null, botsOf: () => [], players: () => 0 }
