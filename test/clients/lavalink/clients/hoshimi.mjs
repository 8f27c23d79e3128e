import { Hoshimi } from 'hoshimi'

export const hoshimi = {
  name: 'hoshimi',
  start({ discord, host, port, password, tell }) {
    const manager = new Hoshimi({
      nodes: [{ id: 'node', host, port, password, retryAmount: 100, retryDelay: 200 }],
      defaultSearchSource: 'local',
      nodeOptions: { sessionOptions: { resumable: true, timeout: 60_000 } },
      sendPayload: (guildId, payload) => discord.guilds.cache.get(guildId)?.shard.send(payload),
    })
    manager.on('nodeReady', (node, _retries, { resumed, sessionId }) => {
      // Resumes the session named in its options, which the bot must store.
      node.options.sessionId = sessionId
      tell(resumed ? 'resumed' : 'ready')
    })
    manager.on('nodeResumed', () => tell('resumed'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error.message))
    manager.on('error', (error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, { reason }) => tell('trackEnd', reason))
    manager.on('queueEnd', () => tell('queueEnd'))
    discord.on('raw', (packet) => void manager.updateVoiceState(packet))
    discord.once('clientReady', ({ user }) => manager.init({ id: user.id, username: user.username }))
    const playerOf = (guildId) => manager.getPlayer(guildId)
    return {
      async join(guildId, voiceId) {
        await manager.createPlayer({ guildId, voiceId, selfDeaf: true }).connect()
      },
      async find(text, source) {
        // The library strips `http://`, taking it for the name of a source; a URL behind that prefix stays whole.
        const query = text.startsWith('http://') ? `http:${text}` : text
        return (await manager.search({ query, source, requester: { id: 'tester' } })).tracks
      },
      titleOf: (track) => track.info.title,
      play: (guildId, track, { position, endTime } = {}) => playerOf(guildId).play({ track, position, endTime }),
      pause: (guildId, isPaused) => playerOf(guildId).setPaused(isPaused),
      seek: (guildId, ms) => playerOf(guildId).seek(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filterManager.setPitch(pitch),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => playerOf(guildId)?.destroy(),
      close: () => manager.nodeManager.destroyAll(),
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: true,
    }
  },
}
