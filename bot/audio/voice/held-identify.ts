import type { VoiceWebSocket } from '@discordjs/voice'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'

/** Keeps a voice socket from telling who it is, so that it can be opened while an older connection still sends. */
export class HeldIdentify {
  #isReleased = false
  #send: (() => void) | null = null

  /** The library identifies as soon as the socket is open. */
  hold(socket: VoiceWebSocket): void {
    const send = socket.sendPacket.bind(socket)
    socket.sendPacket = (packet) => {
      if (this.#isReleased || packet.op !== VoiceOpcodes.Identify) send(packet)
      else this.#send = () => send(packet)
    }
  }

  release(): void {
    this.#isReleased = true
    this.#send?.()
    this.#send = null
  }
}
