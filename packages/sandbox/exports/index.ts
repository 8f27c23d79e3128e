// The package's front door: start a sandbox in this process or in one of its own, and control it.
export { forkSandbox, type SandboxChild, type SandboxChildOptions, type SandboxFacts } from '../child.ts'
export {
  connectSandbox,
  createSandboxClient,
  type ApplicationView,
  type ClientOptions,
  type ClockClient,
  type FaultClient,
  type GatewayDeed,
  type GuildView,
  type NetworkView,
  type NewApplication,
  type NewChannel,
  type NewGuild,
  type SandboxClient,
} from '../client/client.ts'
export { ExpectationError, type Expecting, type RecordClient } from '../client/expectations.ts'
export type {
  ActionOptions,
  MemberClient,
  MessageView,
  OptionValue,
  Outcome,
  SentFile,
  VoiceView,
} from '../client/members.ts'
export { SandboxError } from '../client/transport.ts'
export type { FaultView } from '../faults/faults.ts'
export type { FaultDraft } from '../faults/schema.ts'
export type { GatewayEntry, RecordEntry, RequestEntry, VoiceEntry } from '../record/entries.ts'
export type { RecordFilter, RecordFound, RecordSearch } from '../record/search.ts'
export type { Exchange } from '../rest/rest.ts'
export type { ClientsAfter, SnapshotView } from '../snapshots/snapshots.ts'
export { startSandbox, type DemoFacts, type Sandbox, type SandboxOptions } from '../start.ts'
export { StartFailure } from '../state.ts'
export type { PacketReport } from '../voice/server.ts'
export { parseWorld, readWorld, WorldError, type WorldProblem } from '../worlds/read.ts'
export type { WorldDraft, WorldFile } from '../worlds/schema.ts'
