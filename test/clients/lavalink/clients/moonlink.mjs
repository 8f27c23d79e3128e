import { Connectors, Manager } from 'moonlink.js'

export const moonlink = {
  name: 'moonlink.js',
  start({ discord, host, port, password, folder, tell }) {
    // Resume data is in files, since the library's memory keeps nothing.
    const manager = new Manager({
      nodes: [{ identifier: 'node', host, port, password, secure: false, retryAmount: 100, retryDelay: 200 }],
      options: { resume: true, resumeTimeout: 60_000, database: { type: 'local', options: { path: folder } } },
    })
    manager.on('nodeReady', (_, { resumed }) => tell(resumed ? 'resumed' : 'ready'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, reason) => tell('trackEnd', reason))
    manager.on('queueEnd', () => tell('queueEnd'))
    manager.use(new Connectors.DiscordJs(), discord)
    const playerOf = (guildId) => manager.players.get(guildId)
    return {
      async join(guildId, voiceChannelId) {
        await manager.players.create({ guildId, voiceChannelId, textChannelId: voiceChannelId }).connect()
      },
      find: async (query, source) => (await manager.search({ query, source })).tracks,
      titleOf: (track) => track.title,
      play: (guildId, track, { position } = {}) => playerOf(guildId).play({ track, position }),
      pause: (guildId, isPaused) => (isPaused ? playerOf(guildId).pause() : playerOf(guildId).resume()),
      seek: (guildId, ms) => playerOf(guildId).seek(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filters.setTimescale({ pitch, speed: 1, rate: 1 }).apply(),
      position: (guildId) => playerOf(guildId).current?.position ?? 0,
      leave: (guildId) => playerOf(guildId)?.destroy(),
      async close() {
        await manager.nodes.remove('node')
        await manager.database.shutdown()
      },
      endsQueue: true,
      // The library sends `endTime` only to NodeLink.
      playsFrom: true,
      playsUntil: false,
      tellsReplaced: false,
    }
  },
}
