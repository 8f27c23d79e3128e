import { setTimeout as sleep } from 'node:timers/promises'
import { createCertificate, type Certificate } from 'bandstand-sandbox/certificate'
import { connectMember, type MemberOptions, type MemberVoice } from '../../voice/member.ts'
import { startVoiceServer, type VoiceServer, type VoiceServerOptions } from '../../voice/server.ts'

export const GUILD = '1000'
export const CHANNEL = '5000'

/** A voice server of a test, with the admission that the gateway side would give: token `t-USER` into one channel. */
export interface Stage {
  readonly server: VoiceServer
  readonly certificate: Certificate
  readonly left: string[]
  /** A member with a voice client in the channel. */
  join(userId: string, options?: Partial<MemberOptions>): Promise<MemberVoice>
  /** To be ended with the stage. */
  adopt(close: () => void): void
  close(): Promise<void>
}

export async function createStage(options: Partial<VoiceServerOptions> = {}): Promise<Stage> {
  const certificate = await createCertificate()
  const left: string[] = []
  const server = await startVoiceServer({
    certificate,
    admit: ({ userId, token }) => (token === `t-${userId}` ? { channelId: CHANNEL } : { refuse: 4004 }),
    onLeft: ({ userId }) => left.push(userId),
    ...options,
  })
  const open: (() => void)[] = []
  return {
    server,
    certificate,
    left,
    async join(userId, own = {}) {
      const member = await connectMember({
        endpoint: server.endpoint,
        token: `t-${userId}`,
        sessionId: `s-${userId}`,
        userId,
        guildId: GUILD,
        channelId: CHANNEL,
        certificate: certificate.cert,
        ...own,
      })
      open.push(() => member.close())
      return member
    },
    adopt: (close) => void open.push(close),
    async close() {
      for (const end of open) end()
      await server.close()
    },
  }
}

/** Waits until it is so, looking every 5 ms. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}.`)
    await sleep(5)
  }
}

/** All are in one encrypted group of exactly these members. */
export async function untilGrouped(...members: readonly MemberVoice[]): Promise<void> {
  const wanted = members.map(({ userId }) => userId).toSorted()
  await until(
    () =>
      members.every(({ report }) => {
        const isSame = report.groupUserIds.toSorted().join() === wanted.join()
        return isSame && report.privacyCode === members[0]?.report.privacyCode && report.privacyCode !== null
      }),
    `one group of ${wanted.join(', ')}`,
  )
}

/** Packets of 20 ms that no two are alike; CELT, stereo. */
export function frames(count: number, seed = 0): Buffer[] {
  return Array.from({ length: count }, (_, index) => Buffer.from([0xfc, seed, index >> 8, index & 0xff, 1, 2, 3, 4]))
}
