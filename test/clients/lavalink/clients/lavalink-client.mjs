import { LavalinkManager } from 'lavalink-client'

export const lavalinkClient = {
  name: 'lavalink-client',
  start({ discord, host, port, password, tell }) {
    const manager = new LavalinkManager({
      nodes: [{ id: 'node', host, port, authorization: password, retryAmount: 100, retryDelay: 200 }],
      sendToShard: (guildId, payload) => discord.guilds.cache.get(guildId)?.shard.send(payload),
      autoSkip: true,
      // Defaults to YouTube, which a node of this machine does not have.
      playerOptions: { defaultSearchPlatform: 'local', onEmptyQueue: { destroyAfterMs: 3_600_000 } },
    })
    manager.nodeManager.on('connect', (node) => {
      tell('ready')
      // Resumes the session named in its options, which the bot must store.
      node.options.sessionId = node.sessionId
      void node.updateSession(true, 60_000)
    })
    manager.nodeManager.on('resumed', () => tell('resumed'))
    manager.nodeManager.on('disconnect', () => tell('lost'))
    manager.nodeManager.on('error', (_, error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, { reason }) => tell('trackEnd', reason))
    manager.on('queueEnd', () => tell('queueEnd'))
    manager.on('playerSocketClosed', (_, { code }) => tell('voiceClosed', code))
    const onRaw = (packet) => void manager.sendRawData(packet)
    discord.on('raw', onRaw)
    discord.once('clientReady', ({ user }) => void manager.init({ id: user.id, username: user.username }))
    const playerOf = (guildId) => manager.getPlayer(guildId)
    return {
      async join(guildId, voiceChannelId) {
        await manager.createPlayer({ guildId, voiceChannelId, selfDeaf: true }).connect()
      },
      async find(query, source) {
        const node = manager.nodeManager.nodes.get('node')
        return (await node.search(source ? { query, source } : query, 'tester')).tracks
      },
      titleOf: (track) => track.info.title,
      play: (guildId, track, { position, endTime } = {}) =>
        playerOf(guildId).play({ clientTrack: track, position, endTime }),
      pause: (guildId, isPaused) => (isPaused ? playerOf(guildId).pause() : playerOf(guildId).resume()),
      seek: (guildId, ms) => playerOf(guildId).seek(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filterManager.setPitch(pitch),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => playerOf(guildId)?.destroy(),
      async close() {
        discord.off('raw', onRaw)
        await manager.nodeManager.disconnectAll(true)
      },
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: true,
    }
  },
}
