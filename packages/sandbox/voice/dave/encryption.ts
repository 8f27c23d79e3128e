import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import type { Logger } from 'pino'
import { createExternalSender, type ExternalSender } from '../mls/external-sender.ts'
import { readKeyPackage } from '../mls/key-package.ts'
import type { VoiceTiming } from '../timing.ts'
import { createGroup, type Group } from './group.ts'
import type { Participant } from './participant.ts'
import { createTransitions, type Transitions } from './transitions.ts'

type DaveVersion = 0 | 1

/** DAVE versions that the voice server allows. */
export interface DaveRule {
  readonly version: DaveVersion
  /** Clients without DAVE are refused with 4017. */
  readonly required: boolean
}

interface State {
  readonly options: EncryptionOptions
  readonly participants: Map<string, Participant>
  /** Users who hold op 25; sending it again fails in clients that have a group. */
  readonly introduced: Set<string>
  readonly sender: ExternalSender
  readonly transitions: Transitions
  rule: DaveRule
  version: DaveVersion
}

export interface EncryptionOptions {
  readonly channelId: string
  readonly rule: DaveRule
  readonly timing: VoiceTiming
  readonly log: Logger
}

/**
 * End-to-end encryption of one channel: the version that all can speak, and at version 1 the group. One participant
 * without DAVE takes the whole channel down to version 0; when the last of them leaves, it goes up again.
 */
export function createChannelEncryption(options: EncryptionOptions) {
  const state: State = {
    options,
    participants: new Map(),
    introduced: new Set(),
    sender: createExternalSender(),
    transitions: createTransitions(options.timing.transitionTimeoutMs),
    rule: options.rule,
    version: options.rule.version,
  }
  const group = createChannelGroup(state)
  return {
    get version(): DaveVersion {
      return state.version
    },
    /** Op 0: the channel's version may change. */
    join(participant: Participant) {
      state.participants.set(participant.userId, participant)
      group.membersChanged()
      renegotiate(state, group)
    },
    /** Op 4 was sent with the channel's version. */
    describe(participant: Participant) {
      if (state.version === 1) introduce(state, participant)
    },
    leave({ userId }: Participant) {
      state.participants.delete(userId)
      state.introduced.delete(userId)
      group.withdraw(userId)
      group.membersChanged()
      renegotiate(state, group)
    },
    setRule(rule: DaveRule) {
      state.rule = rule
      renegotiate(state, group)
    },
    /** Op 26. Throws `MalformedMessage` for a bad one. */
    offerKeyPackage({ userId }: Participant, payload: Buffer) {
      const keyPackage = readKeyPackage(payload, userId)
      if (state.version === 1) group.offer(userId, keyPackage)
    },
    /** Op 28. Throws `MalformedMessage` for a bad one. */
    commit: ({ userId }: Participant, payload: Buffer): void => group.commit(userId, payload),
    /** Op 23. */
    confirm: ({ userId }: Participant, transitionId: number): void => state.transitions.confirm(userId, transitionId),
    /** Op 31. */
    flagInvalid: ({ userId }: Participant): void => group.withdraw(userId),
    /** Whether what this user says is end-to-end encrypted now. */
    covers: (userId: string) => state.version === 1 && group.has(userId),
    close() {
      group.forget()
      state.transitions.close()
    },
  }
}

function createChannelGroup(state: State): Group {
  const { channelId, timing, log } = state.options
  return createGroup({
    groupId: BigInt(channelId),
    sender: state.sender,
    transitions: state.transitions,
    timing,
    log,
    find: (userId) => state.participants.get(userId),
    announceRestart: () => announceEpochOne(state),
  })
}

/** The highest version that the rule and everybody here allow. */
function commonVersion({ rule, participants }: State): DaveVersion {
  const canAll = [...participants.values()].every(({ identity }) => identity.maxDaveVersion >= 1)
  return rule.version === 1 && canAll ? 1 : 0
}

function renegotiate(state: State, group: Group): void {
  const version = commonVersion(state)
  if (version === state.version) return
  state.version = version
  state.options.log.debug({ channelId: state.options.channelId, version }, 'encryption version changed')
  group.forget()
  if (version === 1) announceEpochOne(state)
  else announceDowngrade(state)
}

/** Participants that know a version of DAVE already and must learn of another one. */
function audience({ participants }: State): readonly Participant[] {
  return [...participants.values()].filter((it) => it.isDescribed && it.identity.maxDaveVersion >= 1)
}

function announceDowngrade(state: State): void {
  const users = audience(state)
  if (users.length === 0) return
  const execute = (id: number) => {
    for (const user of users) user.send(VoiceOpcodes.DaveExecuteTransition, { transition_id: id })
  }
  const id = state.transitions.begin({ waitFor: users.map(({ userId }) => userId), execute })
  for (const user of users) user.send(VoiceOpcodes.DavePrepareTransition, { protocol_version: 0, transition_id: id })
}

/**
 * A new group begins: every client makes a fresh session and answers with a new key package. Until two of them have
 * met in a group they send without end-to-end encryption, so version 1 holds at once (transition 0).
 */
function announceEpochOne(state: State): void {
  for (const user of audience(state)) {
    user.send(VoiceOpcodes.DavePrepareEpoch, { protocol_version: 1, epoch: 1 })
    introduce(state, user)
    user.send(VoiceOpcodes.DavePrepareTransition, { protocol_version: 1, transition_id: 0 })
  }
}

function introduce({ introduced, sender }: State, participant: Participant): void {
  if (introduced.has(participant.userId)) return
  introduced.add(participant.userId)
  participant.sendBinary(VoiceOpcodes.DaveMlsExternalSender, sender.announcement)
}
