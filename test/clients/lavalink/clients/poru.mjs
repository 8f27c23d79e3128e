import { Poru } from 'poru'

export const poru = {
  name: 'poru',
  start({ discord, host, port, password, tell }) {
    const manager = new Poru(discord, [{ name: 'node', host, port, password, secure: false }], {
      library: 'discord.js',
      defaultPlatform: 'ytsearch',
      reconnectTries: 100,
      reconnectTimeout: 200,
      useCustomFilters: true,
    })
    manager.on('raw', (_, packet) => packet?.op === 'ready' && tell('ready'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error?.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, { reason }) => tell('trackEnd', reason))
    manager.on('queueEnd', () => tell('queueEnd'))
    discord.once('clientReady', () => void manager.init())
    // A second after each voice server it sends that the player is not paused, whatever its bot said meanwhile.
    let isSettled = Promise.resolve()
    manager.on('debug', (_, text) => {
      if (/Voice Server Update/.test(text)) isSettled = new Promise((resolve) => setTimeout(resolve, 1200))
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
      async pause(guildId, isPaused) {
        await isSettled
        await playerOf(guildId).pause(isPaused)
      },
      seek: (guildId, ms) => playerOf(guildId).seekTo(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filters.setTimescale({ pitch }),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => manager.removeConnection(guildId),
      close: () => manager.removeNode('node'),
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: false,
      // Supports only the resume keys of Lavalink 3.
      resumes: false,
    }
  },
}
