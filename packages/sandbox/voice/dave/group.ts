import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import type { Logger } from 'pino'
import type { ExternalSender } from '../mls/external-sender.ts'
import type { KeyPackage } from '../mls/key-package.ts'
import { uint16, uint8, vector } from '../mls/writer.ts'
import type { VoiceTiming } from '../timing.ts'
import { canBeCommitted, createBatch, proposalsFor, takeBackAdd, type Batch, type Change } from './batch.ts'
import { createLeaves, type Leaf, type Leaves } from './leaves.ts'
import type { Participant } from './participant.ts'
import type { Transitions } from './transitions.ts'
import { judgeCommit, type Accepted } from './verdict.ts'

const APPEND = 0
const REVOKE = 1
/** A group that was restarted so often without any commit is left alone until its members change. */
const RESTARTS_MAX = 3

export interface GroupOptions {
  readonly groupId: bigint
  readonly sender: ExternalSender
  readonly transitions: Transitions
  readonly timing: VoiceTiming
  readonly log: Logger
  readonly find: (userId: string) => Participant | undefined
  /** Tells everybody to begin again (op 24); their new key packages follow. */
  readonly announceRestart: () => void
}

/**
 * The MLS group of one channel, as its delivery service sees it: no member, no keys, but it says who is to be added
 * and removed, which commit counts, and who gets which welcome.
 *
 * The rule is one comparison: `packages` says who should be in (each user's latest key package), `leaves` who is.
 * What differs is proposed in one batch. While members work on a batch (op 27 until op 28) or move over to the new
 * epoch (op 29 and 30 until op 22) nothing further is proposed: a proposal that reaches a client between its commit
 * and op 29 belongs to an epoch that is ending, and clients fail on it.
 */
export type Group = ReturnType<typeof createGroup>

interface State {
  readonly options: GroupOptions
  readonly packages: Map<string, KeyPackage>
  leaves: Leaves
  epoch: bigint
  batch: Batch | null
  isEstablished: boolean
  /** Since the last commit; beyond the most there are, the group is given up. */
  restarts: number
  proposeTimer: NodeJS.Timeout | undefined
  commitTimer: NodeJS.Timeout | undefined
}

export function createGroup(options: GroupOptions) {
  const state: State = {
    options,
    packages: new Map(),
    leaves: createLeaves(),
    epoch: 0n,
    batch: null,
    isEstablished: false,
    restarts: 0,
    proposeTimer: undefined,
    commitTimer: undefined,
  }
  return {
    /** Op 26. */
    offer(userId: string, keyPackage: KeyPackage) {
      withdraw(state, userId)
      state.packages.set(userId, keyPackage)
    },
    /** The user lost the group (op 31) or left: no member any more until a new key package comes. */
    withdraw: (userId: string): void => withdraw(state, userId),
    /** Someone came to the channel or left it: a group that was given up is tried again. */
    membersChanged() {
      const wasGivenUp = state.restarts > RESTARTS_MAX
      state.restarts = 0
      if (wasGivenUp) restart(state, 'members changed')
    },
    /** Op 28. All members commit, the first counts. Throws `MalformedMessage` for what is no commit. */
    commit: (userId: string, payload: Buffer): void => takeCommit(state, userId, payload),
    /** Forgets the group and all key packages without a word to anybody. */
    forget() {
      dissolve(state)
      state.packages.clear()
      clearTimeout(state.proposeTimer)
      state.proposeTimer = undefined
    },
    /** Whether this user has the keys of a group, so that their sound is end-to-end encrypted. */
    has: (userId: string) => state.isEstablished && state.leaves.indexOf(userId) >= 0,
  }
}

/** Proposes soon, together with anything else that happens meanwhile. */
function proposeSoon(state: State): void {
  state.proposeTimer ??= setTimeout(() => {
    state.proposeTimer = undefined
    proposeDifference(state)
  }, state.options.timing.batchWindowMs)
}

/** The user's key package is void, and what is under way about the user is called back. */
function withdraw(state: State, userId: string): void {
  const { batch } = state
  state.packages.delete(userId)
  state.options.transitions.forget(userId)
  batch?.committers.delete(userId)
  const ref = batch && takeBackAdd(batch, userId)
  if (ref) revoke(state, batch, ref)
  if (batch && !canBeCommitted(batch)) endBatch(state)
  proposeSoon(state)
}

function revoke(state: State, batch: Batch, ref: string): void {
  const payload = Buffer.concat([uint8(REVOKE), vector(vector(Buffer.from(ref, 'hex')))])
  for (const userId of batch.committers) state.options.find(userId)?.sendBinary(VoiceOpcodes.DaveMlsProposals, payload)
}

function endBatch(state: State): void {
  clearTimeout(state.commitTimer)
  state.batch = null
}

function dissolve(state: State): void {
  endBatch(state)
  state.leaves = createLeaves()
  state.epoch = 0n
  state.isEstablished = false
}

function proposeDifference(state: State): void {
  if (state.batch || state.options.transitions.isOpen) return
  const isCurrent = ({ userId, keyPackage }: Leaf) => state.packages.get(userId) === keyPackage
  // No one is left who could commit: anyone who comes makes a new group.
  if (state.isEstablished && !state.leaves.members.some(isCurrent)) dissolve(state)

  const members = state.leaves.members
  const staying = members.filter(isCurrent)
  const coming = [...state.packages]
    .map(([userId, keyPackage]) => ({ userId, keyPackage }))
    .filter(({ keyPackage }) => !staying.some((leaf) => leaf.keyPackage === keyPackage))
  const leaving = members
    .filter((leaf) => !isCurrent(leaf))
    .map(({ userId }) => ({ userId, leafIndex: state.leaves.indexOf(userId) }))

  if (!state.isEstablished) {
    // A group begins with two. Each is sent the others and none itself; whose commit counts becomes leaf 0.
    if (coming.length >= 2) sendBatch(state, { coming, leaving: [], committers: state.packages.keys() })
  } else if (staying.length === 1 && coming.length === 0) restart(state, 'one member is left')
  else if (coming.length + leaving.length > 0)
    sendBatch(state, { coming, leaving, committers: staying.map(({ userId }) => userId) })
}

function sendBatch(state: State, change: Change): void {
  const { sender, groupId, timing, log } = state.options
  const batch = createBatch(sender, { groupId, epoch: state.epoch }, change)
  state.batch = batch
  state.commitTimer = setTimeout(() => onCommitTimeout(state), timing.commitTimeoutMs)
  for (const userId of batch.committers) {
    const messages = [...proposalsFor(batch, userId).values()].map(({ message }) => message)
    const payload = Buffer.concat([uint8(APPEND), vector(...messages)])
    state.options.find(userId)?.sendBinary(VoiceOpcodes.DaveMlsProposals, payload)
  }
  const { coming, leaving } = change
  log.debug({ groupId, epoch: state.epoch, coming: coming.length, leaving: leaving.length }, 'members proposed')
}

/** No usable commit came: a group whose members are stuck is made again, which gives newcomers a chance to commit. */
function onCommitTimeout(state: State): void {
  state.restarts += 1
  if (state.restarts <= RESTARTS_MAX) return restart(state, 'no commit received')
  endBatch(state)
  state.options.log.warn({ groupId: state.options.groupId }, 'group paused until its members change')
}

function restart(state: State, why: string): void {
  state.options.log.debug({ groupId: state.options.groupId, why }, 'group restarted')
  dissolve(state)
  state.packages.clear()
  state.options.announceRestart()
}

function takeCommit(state: State, userId: string, payload: Buffer): void {
  const { batch, epoch, isEstablished } = state
  const { groupId, log } = state.options
  const keyPackage = state.packages.get(userId)
  // The others' commits of an epoch that is over already.
  if (!batch?.committers.has(userId) || !keyPackage) return
  const leafIndex = isEstablished ? state.leaves.indexOf(userId) : 0
  const verdict = judgeCommit(payload, { groupId, epoch, batch, sender: { userId, leafIndex, keyPackage } })
  if (!verdict.accepted) return log.debug({ groupId, userId, why: verdict.why }, 'commit dropped')

  endBatch(state)
  state.restarts = 0
  if (!isEstablished) state.leaves.add({ userId, keyPackage })
  state.isEstablished = true
  state.epoch += 1n
  for (const it of verdict.proposals) if (it.kind === 'remove') state.leaves.blank(it.leafIndex)
  for (const it of verdict.proposals) if (it.kind === 'add') state.leaves.add(it)
  // The other committers of a new group are welcomed into the winner's; their own attempts are void.
  announce(state, verdict, isEstablished ? [...batch.committers] : [userId])
}

/**
 * Op 29 for who was in already, op 30 for who comes: a newcomer has no group to which a commit could apply. Who left
 * or began again meanwhile gets neither.
 */
function announce(state: State, verdict: Accepted, inAlready: readonly string[]): void {
  const { transitions, find, groupId, log } = state.options
  const newcomers = verdict.newcomers.filter(({ userId, keyPackage }) => state.packages.get(userId) === keyPackage)
  const users = [...inAlready, ...newcomers.map(({ userId }) => userId)]
  const id = transitions.begin({
    waitFor: users,
    execute(transitionId) {
      for (const user of users) find(user)?.send(VoiceOpcodes.DaveExecuteTransition, { transition_id: transitionId })
      proposeSoon(state)
    },
  })
  const commit = Buffer.concat([uint16(id), verdict.commit.message])
  for (const userId of inAlready) find(userId)?.sendBinary(VoiceOpcodes.DaveMlsAnnounceCommitTransition, commit)
  for (const { userId, welcome } of newcomers)
    find(userId)?.sendBinary(VoiceOpcodes.DaveMlsWelcome, Buffer.concat([uint16(id), welcome]))
  log.debug({ groupId, epoch: state.epoch, transitionId: id, members: state.leaves.members.length }, 'epoch announced')
}
