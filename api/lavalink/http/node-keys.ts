import type { Plan } from '../../../lib/plans.ts'

/** The client of the node, as identified by its password. */
export interface NodeCaller {
  readonly projectId: string
  readonly keyId: string
  readonly plan: Plan
  /** A service of ours, which may run its own players here. */
  readonly isService?: true
}

/** The passwords that the node takes. */
export interface NodeKeys {
  /**
   * @param password as the client sent it in `Authorization`, without `Bearer`
   * @param addressOf looks the caller's address up; few keys ask for it
   * @returns null where it does not exist, or no longer works
   * @throws {Fault} `forbidden` where it is for other things than players, or for other addresses
   */
  find(password: string, addressOf: () => string | undefined): Promise<NodeCaller | null>
  /** Whether the key of an open socket still works. */
  isAccepted(caller: NodeCaller): Promise<boolean>
}
