import { Player } from 'discolink'

export const discolink = {
  name: 'discolink',
  start({ discord, host, port, password, tell }) {
    const node = { name: 'node', origin: `http://${host}:${port}`, password, reconnectDelay: 200, reconnectLimit: 100 }
    const manager = new Player({
      nodes: [node],
      autoInit: false,
      forwardVoiceUpdate: async (guildId, payload) => discord.guilds.cache.get(guildId)?.shard.send(payload),
    })
    manager.on('nodeReady', (_, resumed) => {
      tell(resumed ? 'resumed' : 'ready')
      void manager.nodes.get('node').rest.updateSession({ resuming: true, timeout: 60 })
    })
    manager.on('nodeClose', () => tell('lost'))
    manager.on('nodeDisconnect', () => tell('lost'))
    manager.on('nodeError', (_, error) => tell('error', error.message))
    manager.on('trackStart', () => tell('trackStart'))
    manager.on('trackFinish', (_queue, _track, reason) => tell('trackEnd', reason))
    manager.on('queueFinish', () => tell('queueEnd'))
    manager.on('voiceClose', (_, code) => tell('voiceClosed', code))
    discord.on('raw', (packet) => void manager.voices.handleDispatch(packet))
    discord.once('clientReady', ({ user }) => void manager.init(user.id))
    const queueOf = (guildId) => manager.getQueue(guildId)
    return {
      join: (guildId, voiceId) => manager.createQueue({ guildId, voiceId }),
      async find(query, source) {
        const { data } = await manager.search(query, source ? { prefix: source } : {})
        return Array.isArray(data) ? data : [data]
      },
      titleOf: (track) => track.title,
      async play(guildId, track, { position, endTime } = {}) {
        const queue = queueOf(guildId)
        queue.add(track)
        await queue.jump(queue.length - 1)
        // The queue takes neither option; the REST client does.
        if (endTime) await queue.rest.updatePlayer(guildId, { position, endTime })
      },
      pause: (guildId, isPaused) => (isPaused ? queueOf(guildId).pause() : queueOf(guildId).resume()),
      seek: (guildId, ms) => queueOf(guildId).seek(ms),
      volume: (guildId, volume) => queueOf(guildId).setVolume(volume),
      pitch: (guildId, pitch) => queueOf(guildId).filters.merge({ timescale: { pitch, speed: 1, rate: 1 } }),
      position: (guildId) => queueOf(guildId).currentTime,
      leave: (guildId) => queueOf(guildId)?.destroy(),
      close: () => manager.nodes.disconnect(),
      endsQueue: true,
      playsFrom: true,
      playsUntil: true,
      tellsReplaced: true,
    }
  },
}
