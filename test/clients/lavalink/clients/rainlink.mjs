import { Library, Rainlink } from 'rainlink'

export const rainlink = {
  name: 'rainlink',
  start({ discord, host, port, password, tell }) {
    const manager = new Rainlink({
      library: new Library.DiscordJS(discord),
      nodes: [{ name: 'node', host, port, auth: password, secure: false, driver: 'lavalink/v4/koinu' }],
      options: { resume: true, resumeTimeout: 60, retryTimeout: 200, retryCount: 100 },
    })
    manager.on('nodeConnect', () => tell('ready'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeClosed', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, payload) => tell('trackEnd', payload?.reason ?? ''))
    manager.on('queueEmpty', () => tell('queueEnd'))
    const playerOf = (guildId) => manager.players.get(guildId)
    return {
      async join(guildId, voiceId) {
        await manager.create({ guildId, textId: voiceId, voiceId, shardId: 0, volume: 100 })
      },
      find: async (query, source) => (await manager.search(query, { requester: 'tester', engine: source })).tracks,
      titleOf: (track) => track.title,
      async play(guildId, track, { position, endTime } = {}) {
        await playerOf(guildId).play(track, { replaceCurrent: true, position })
        // `play` does not take `endTime`; the REST client does.
        if (endTime) await playerOf(guildId).node.rest.updatePlayer({ guildId, playerOptions: { endTime } })
      },
      pause: (guildId, isPaused) => playerOf(guildId).setPause(isPaused),
      seek: (guildId, ms) => playerOf(guildId).seek(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filter.setTimescale({ pitch }),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => manager.destroy(guildId),
      close: () => manager.nodes.remove('node'),
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: false,
    }
  },
}
