import { DiscordJSManager } from 'magmastream'

export const magmastream = {
  name: 'magmastream',
  start({ discord, host, port, password, folder, tell }) {
    // The library stores its resume data in the working folder.
    const workingFolder = process.cwd()
    process.chdir(folder)
    const manager = new DiscordJSManager(discord, {
      playNextOnEnd: true,
      clientName: 'bandstand-tests',
      nodes: [
        {
          identifier: 'node',
          host,
          port,
          password,
          useSSL: false,
          enableSessionResumeOption: true,
          sessionTimeoutSeconds: 60,
          maxRetryAttempts: 100,
          retryDelayMs: 200,
        },
      ],
      listenToSIGEvents: false,
    })
    // The library has no event for a resumed session, and emits a message before reading it.
    manager.on('nodeRaw', ({ op, resumed }) => op === 'ready' && tell(resumed ? 'resumed' : 'ready'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackEnd', (_player, _track, { reason }) => tell('trackEnd', reason))
    manager.on('queueEnd', () => tell('queueEnd'))
    discord.once('clientReady', ({ user }) => void manager.init({ clientId: user.id }))
    const playerOf = (guildId) => manager.getPlayer(guildId)
    return {
      join(guildId, voiceChannelId) {
        manager.create({ guildId, voiceChannelId, textChannelId: voiceChannelId, volume: 100 }).connect()
      },
      find: async (query) => (await manager.search(query, 'tester')).tracks ?? [],
      titleOf: (track) => track.title,
      play: (guildId, track, { position, endTime } = {}) =>
        playerOf(guildId).play(track, { ...(position && { startTime: position }), ...(endTime && { endTime }) }),
      pause: (guildId, isPaused) => playerOf(guildId).pause(isPaused),
      seek: (guildId, ms) => playerOf(guildId).seek(ms),
      volume: (guildId, volume) => playerOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).filters.setTimescale({ pitch }),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => playerOf(guildId)?.destroy(),
      async close() {
        await manager.destroyNode('node')
        process.chdir(workingFolder)
      },
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: false,
    }
  },
}
