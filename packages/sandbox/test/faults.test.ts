import { once } from 'node:events'
import { expect } from 'chai'
import { connectSandbox, startSandbox, type MemberClient, type Sandbox, type SandboxClient } from 'bandstand-sandbox'
import { connectMember, type MemberVoice } from 'bandstand-sandbox/voice'
import { Events, type Client } from 'discord.js'
import { eventually } from '../../../test/support/service.ts'
import { createCaller, logIn, type Rest } from './stage.ts'

const WORLD = {
  applications: [{ name: 'Echo', token: 'echo-token' }],
  guilds: [
    {
      name: 'Lab',
      members: [{ name: 'mira' }, { name: 'jonas' }],
      channels: [{ name: 'talk' }, { name: 'Room', type: 'voice' as const }],
      applications: ['Echo'],
    },
  ],
}
/** Not a sound that a decoder would take, but as large as one. */
const FRAME = Buffer.alloc(160, 0xfc)
const frames = (count: number) => Array.from({ length: count }, () => FRAME)

async function countHeard(member: MemberClient): Promise<number> {
  const { decrypted, clear, failed } = await member.hearing()
  return decrypted + clear + failed
}

describe('faults by rule', () => {
  let sandbox: Sandbox
  let control: SandboxClient
  let bot: Client<true>
  let guildId: string
  let mira: MemberClient
  let rest: Rest

  before(async () => {
    sandbox = await startSandbox({ world: WORLD, limits: false })
    control = await connectSandbox(sandbox.url, { withinMs: 30_000 })
    bot = await logIn(sandbox, { token: 'echo-token' })
    const guild = await control.guild('Lab')
    guildId = guild.id
    mira = control.member(guildId, guild.ownerId)
    rest = createCaller(`${sandbox.url}/api/v10`, 'echo-token')
  })
  afterEach(async () => {
    await control.faults.clear()
    await control.record.clear()
  })
  after(async () => {
    await bot.destroy()
    await sandbox.close()
  })

  const applied = async () => (await control.faults.list()).map((rule) => rule.applied)

  describe('of REST', () => {
    it('delay an answer, which is the usual one, and delays add up', async () => {
      await control.faults.add({ on: 'rest', path: '/users/@me', effect: { type: 'delay', ms: 60 } })
      await control.faults.add({ on: 'rest', path: '/users/@me', effect: { type: 'delay', ms: 60, jitterMs: 20 } })
      const { status, body } = await rest('GET', '/users/@me')
      expect({ status, id: body.id }).to.deep.equal({ status: 200, id: bot.user.id })
      const [request] = await control.record.requests({ path: '/users/@me' })
      // A timer may fire a millisecond early.
      expect(request!.durationMs).to.be.greaterThan(115)
    })

    it('lose a request: no answer comes while others are answered', async () => {
      await control.faults.add({ on: 'rest', path: '/users/@me', times: 1, effect: { type: 'lose' } })
      const waiting = new AbortController()
      const lost = fetch(`${sandbox.url}/api/v10/users/@me`, { signal: waiting.signal }).then(
        ({ status }) => status,
        (error: Error) => error.name,
      )
      await eventually(applied, ([count]) => count === 1)
      expect((await rest('GET', '/users/@me')).status).to.equal(200)
      expect(await Promise.race([lost, rest('GET', '/gateway').then(() => 'nothing yet')])).to.equal('nothing yet')
      waiting.abort()
      expect(await lost).to.equal('AbortError')
      expect((await control.record.requests({ path: '/users/@me' }))[0]!.status).to.equal(null)
    })

    it('answer all that they fit with the status of an outage', async () => {
      await control.faults.add({ on: 'rest', path: '/users/**', effect: { type: 'outage', status: 504 } })
      expect((await rest('GET', '/users/@me')).status).to.equal(504)
      expect((await rest('GET', `/users/${bot.user.id}`)).status).to.equal(504)
      expect((await rest('GET', '/gateway')).status).to.equal(200)
    })
  })

  describe('of the gateway', () => {
    it('cut the connection, and the bot resumes', async () => {
      const resumed = once(bot, Events.ShardResume)
      await control.faults.add({ on: 'gateway', event: 'MESSAGE_CREATE', times: 1, effect: { type: 'cut' } })
      const [talk] = (await control.guild('Lab')).channels
      await mira.say(talk!.id, 'the last word')
      await resumed
      await control.record.expectGateway({ event: 'RESUMED' })
      expect(await applied()).to.deep.equal([1])
    })

    it('delay what comes, in order, and lose what the bot sends', async () => {
      const [talk] = (await control.guild('Lab')).channels
      await control.faults.add({ on: 'gateway', event: 'MESSAGE_CREATE', times: 1, effect: { type: 'delay', ms: 50 } })
      const heard: string[] = []
      const both = new Promise<void>((resolve) => {
        bot.on(Events.MessageCreate, ({ content }) => {
          heard.push(content)
          if (heard.length === 2) resolve()
        })
      })
      await mira.say(talk!.id, 'first')
      await mira.say(talk!.id, 'second')
      await both
      expect(heard).to.deep.equal(['first', 'second'])
      await control.faults.add({ on: 'gateway', direction: 'received', op: 3, effect: { type: 'lose' } })
      bot.user.setPresence({ status: 'idle' })
      await eventually(applied, (counts) => counts.at(-1) === 1)
    })

    it('refuse connections as long as an outage lasts', async () => {
      const resumed = once(bot, Events.ShardResume)
      const { id } = await control.faults.add({ on: 'gateway', effect: { type: 'outage' } })
      await control.record.expectGateway({ direction: 'closed' })
      const socket = new WebSocket(sandbox.url.replace('http', 'ws'))
      await once(socket, 'error')
      await control.faults.remove(id)
      await resumed
    })
  })

  describe('of voice', () => {
    let jonas: MemberVoice
    let room: string
    beforeEach(async () => {
      const guild = await control.guild('Lab')
      room = guild.channels[1]!.id
      await mira.join(room)
      jonas = await connect(guild.members.find(({ name }) => name === 'jonas')!.id)
    })
    afterEach(async () => {
      jonas.close()
      await mira.leave().catch(() => undefined)
    })

    async function connect(userId: string): Promise<MemberVoice> {
      const path = `/guilds/${guildId}/channels/${room}/connect`
      const credentials = await control.call<Parameters<typeof connectMember>[0]>('POST', path, { userId })
      return connectMember({ ...credentials, certificate: await control.certificate() })
    }
    const untilHeard = () =>
      eventually(
        async () => {
          await jonas.speak(frames(3))
          return countHeard(mira)
        },
        (count) => count > 0,
      )

    it('lose the packets of a guild until they end', async () => {
      const rule = await control.faults.add({ on: 'voice', guildId, effect: { type: 'packets', lossPercent: 100 } })
      await jonas.speak(frames(10))
      expect(await countHeard(mira)).to.equal(0)
      await control.faults.remove(rule.id)
      await untilHeard()
    })

    it('close the sessions that are there, with a code', async () => {
      const ended = new Promise<number>((resolve) => jonas.onEnd(resolve))
      await control.faults.add({ on: 'voice', effect: { type: 'close', code: 4006 } })
      expect(await ended).to.equal(4006)
      await control.record.expectVoice({ event: 'leave', userId: mira.userId })
      expect(await applied()).to.deep.equal([2])
    })

    it('cut a connection, which its client resumes', async () => {
      await control.faults.add({ on: 'voice', times: 1, effect: { type: 'cut' } })
      expect(await applied()).to.deep.equal([1])
      await untilHeard()
    })

    it('say that the packets of a single bot cannot be spoilt', async () => {
      const draft = { on: 'voice', applicationId: bot.user.id, effect: { type: 'packets' } } as const
      expect(await control.faults.add(draft).catch(String)).to.contain('concern all of a guild')
    })
  })
})
