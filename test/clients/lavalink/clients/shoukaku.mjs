import { Connectors, Constants, Shoukaku } from 'shoukaku'

/** Shoukaku has no queue: a bot built on it listens to its player's events. */
export const shoukaku = {
  name: 'shoukaku',
  start({ discord, host, port, password, tell }) {
    const nodes = [{ name: 'node', url: `${host}:${port}`, auth: password }]
    const options = { resume: true, resumeTimeout: 60, reconnectTries: 2, reconnectInterval: 0.2 }
    const manager = new Shoukaku(new Connectors.DiscordJS(discord), nodes, options)
    // After a failed first attempt Shoukaku drops a node that its second has just reached, closing that connection.
    const isConnected = () => manager.nodes.get('node')?.state === Constants.State.CONNECTED
    manager.on('ready', (_, resumed) => setImmediate(() => isConnected() && tell(resumed ? 'resumed' : 'ready')))
    manager.on('close', () => tell('lost'))
    // A bot adds a node again that was given up.
    const keeper = setInterval(() => discord.isReady() && !manager.nodes.has('node') && manager.addNode(nodes[0]), 300)
    manager.on('error', (_, error) => tell('error', error.message))
    const node = () => manager.nodes.get('node')
    const playerOf = (guildId) => manager.players.get(guildId)
    return {
      async join(guildId, channelId) {
        const player = await manager.joinVoiceChannel({ guildId, channelId, shardId: 0 })
        player.on('start', () => tell('trackStart'))
        player.on('end', ({ reason }) => tell('trackEnd', reason))
        player.on('closed', ({ code }) => tell('voiceClosed', code))
      },
      async find(query, source) {
        const found = await node().rest.resolve(source ? `${source}:${query}` : query)
        return [found.data].flat().filter((one) => one?.encoded)
      },
      titleOf: (track) => track.info.title,
      play: (guildId, track, { position, endTime } = {}) =>
        playerOf(guildId).playTrack({ track: { encoded: track.encoded }, position, endTime }),
      pause: (guildId, isPaused) => playerOf(guildId).setPaused(isPaused),
      seek: (guildId, ms) => playerOf(guildId).seekTo(ms),
      volume: (guildId, volume) => playerOf(guildId).setGlobalVolume(volume),
      pitch: (guildId, pitch) => playerOf(guildId).setTimescale({ pitch }),
      position: (guildId) => playerOf(guildId).position,
      leave: (guildId) => manager.leaveVoiceChannel(guildId),
      close() {
        clearInterval(keeper)
        if (manager.nodes.has('node')) manager.removeNode('node')
      },
      endsQueue: false,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: true,
    }
  },
}
