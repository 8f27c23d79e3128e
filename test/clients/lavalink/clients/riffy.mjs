import { Riffy } from 'riffy'

export const riffy = {
  name: 'riffy',
  start({ discord, host, port, password, tell }) {
    const manager = new Riffy(discord, [{ name: 'node', host, port, password, secure: false }], {
      send: (payload) => discord.guilds.cache.get(payload.d.guild_id)?.shard.send(payload),
      defaultSearchPlatform: 'ytsearch',
      restVersion: 'v4',
      reconnectTries: 100,
      reconnectTimeout: 200,
      resumeTimeout: 60,
      bypassChecks: {},
    })
    // The library has no event for a resumed session.
    manager.on('raw', (_, { op, resumed }) => op === 'ready' && tell(resumed ? 'resumed' : 'ready'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, { reason }) => tell('trackEnd', reason))
    manager.on('queueEnd', () => tell('queueEnd'))
    discord.on('raw', (packet) => {
      manager.updateVoiceState(packet)
    })
    discord.once('clientReady', ({ user }) => {
      manager.init(user.id)
    })
    const playerOf = (guildId) => manager.players.get(guildId)
    return {
      join(guildId, voiceChannel) {
        manager.createConnection({ guildId, voiceChannel, textChannel: voiceChannel, deaf: true })
      },
      find: async (query, source) => (await manager.resolve({ query, source, requester: 'tester' })).tracks,
      titleOf: (track) => track.info.title,
      async play(guildId, track, { position, endTime } = {}) {
        const player = playerOf(guildId)
        player.queue.unshift(track)
        await player.play()
        // `play` takes neither option; the REST client does.
        if (endTime) await player.node.rest.updatePlayer({ guildId, data: { position, endTime } })
      },
      pause: (guildId, isPaused) => playerOf(guildId).pause(isPaused),
      seek: (guildId, ms) => playerOf(guildId).seek(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filters.setTimescale(true, { pitch }),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => manager.destroyPlayer(guildId),
      close: () => manager.destroyNode('node'),
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: true,
    }
  },
}
