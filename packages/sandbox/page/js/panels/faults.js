import { call, guildPath, memberPath } from '../core/api.js'
import { state } from '../core/store.js'

// Everything that can be made to go wrong. A switch says from the network's state whether it is on; a deed has none.

const rules = (on, off) => (isOn) => call('PATCH', '/rules', isOn ? on : off)
const ruleSwitch = (name, on, off) => ({
  isOn: ({ rules: now }) => now[name] !== off[name],
  set: rules(on, off),
})
const packetSwitch = (on) => ({
  isOn: ({ faults }) => Object.keys(on).some((name) => Boolean(faults[name])),
  set(isOn) {
    const faults = { ...state.network.faults }
    for (const [name, value] of Object.entries(on)) faults[name] = isOn ? value : typeof value === 'boolean' ? false : 0
    return call('PUT', guildPath('/faults'), faults)
  },
})
const guildSwitch = (name) => ({
  isOn: (network) => network[name],
  set: (isOn) => call('PATCH', guildPath(), { [name]: isOn }),
})
/** To every bot of the guild. */
const gateway = (body) => ({
  act: () =>
    Promise.all(state.applications.map(({ id }) => call('POST', ['/applications', id, 'gateway'].join('/'), body))),
})
const voiceSocket = (body) => ({
  act: () => {
    const inVoice = state.applications.filter(({ id }) => state.guild.voiceStates.some(({ userId }) => userId === id))
    return Promise.all(inVoice.map(({ id }) => call('POST', memberPath(id, '/voice-socket'), body)))
  },
})

export const FAULTS = {
  rest: {
    delay: ruleSwitch('restDelayMs', { restDelayMs: 2000 }, { restDelayMs: 0 }),
    limited: ruleSwitch('restLimitedPercent', { restLimitedPercent: 50 }, { restLimitedPercent: 0 }),
    failed: ruleSwitch('restFailedPercent', { restFailedPercent: 50 }, { restFailedPercent: 0 }),
    // As on Discord, so it is no fault.
    limits: { ...ruleSwitch('rateLimits', { rateLimits: true }, { rateLimits: false }), isNormal: true },
    late: {
      isOn: ({ rules: now }) => now.interactionMs < 1000,
      set: rules({ interactionMs: 50 }, { interactionMs: 3000 }),
    },
  },
  voice: {
    loss: packetSwitch({ lossPercent: 10 }),
    latency: packetSwitch({ delayMs: 300, jitterMs: 80 }),
    reorder: packetSwitch({ reorderPercent: 20 }),
    stalled: packetSwitch({ stalled: true }),
    dave: {
      isOn: ({ dave }) => dave.version === 0,
      set: (isOn) => call('PUT', '/dave', { version: isOn ? 0 : 1, required: false }),
    },
  },
  gateway: {
    reconnect: gateway({ action: 'reconnect' }),
    drop: gateway({ action: 'drop' }),
    session: gateway({ action: 'invalidate', resumable: false }),
    frozen: gateway({ action: 'frozen' }),
    socket: voiceSocket({ drop: true }),
    voiceSession: voiceSocket({ code: 4006 }),
  },
  outages: { guild: guildSwitch('unavailable'), voiceServer: guildSwitch('voiceAway') },
}

const SWITCHES = Object.values(FAULTS).flatMap((group) =>
  Object.values(group).filter(({ isOn, isNormal }) => isOn && !isNormal),
)

export const activeFaults = () => (state.network ? SWITCHES.filter(({ isOn }) => isOn(state.network)) : [])

/** Puts everything back, one after the other: faults of one kind are set together. */
export async function clearFaults() {
  await call('PUT', guildPath('/faults'), {})
  for (const fault of activeFaults()) await fault.set(false)
}
