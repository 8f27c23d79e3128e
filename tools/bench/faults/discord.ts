import { tmpdir } from 'node:os'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forkSandbox, type SandboxFacts } from 'bandstand-sandbox'
import { connectMember } from 'bandstand-sandbox/voice'
import { fetchJson, type Answer } from '../../../test/support/service.ts'
import { preferStandIn } from '../../stage/process.ts'
import { createHearing, type Ear } from './listener.ts'
import type { Frames } from './music.ts'

/** A stand-in Discord in a process of its own, that outlives services as the real one does. */
export interface Discord extends Readonly<SandboxFacts> {
  /** A file for NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string
  /** Calls the control interface: `POST /sandbox/guilds` and so on. */
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** A new member joins the channel (of the demo guild by default) and hears every packet. */
  listen(where?: { readonly guildId: string; readonly channelId: string }): Promise<Ear>
  close(): Promise<void>
}

export interface DiscordOptions {
  /** The interval of heartbeats of bots; defaults to the long one that Discord asks for. */
  readonly heartbeatMs?: number
}

export async function startDiscord(frames: Frames, options: DiscordOptions): Promise<Discord> {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-discord-'))
  const state = {
    port: 0,
    stateFile: join(folder, 'state.json'),
    logLevel: 'error',
    limits: false,
    onExit: () => undefined,
    ...options,
  }
  const child = await forkSandbox(state)
  preferStandIn(process.pid)
  const certificateFile = join(folder, 'certificate.pem')
  writeFileSync(certificateFile, child.certificate)
  const ears: Ear[] = []

  async function control(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetchJson(child.url + path, method, body, {})
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  return {
    ...child,
    certificateFile,
    control,
    async listen(where = { guildId: child.demo.guildId, channelId: child.demo.voiceChannelId }) {
      const guild = `/sandbox/guilds/${where.guildId}`
      const { body: member } = await control('POST', `${guild}/members`, { name: `ear-${ears.length}` })
      const { body: seat } = await control('POST', `${guild}/channels/${where.channelId}/connect`, {
        userId: member.id,
      })
      const voice = await connectMember({ ...seat, certificate: child.certificate })
      const ear = createHearing(voice, frames)
      ears.push(ear)
      return ear
    },
    async close() {
      for (const ear of ears) ear.close()
      await child.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
