import { networkInterfaces } from 'node:os'
import { connect } from 'node:net'
import { DAVESession } from '@snazzah/davey'
import { expect } from 'chai'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { CHANNEL, createStage, GUILD, until, type Stage } from './stage.ts'
import { openDescribed, openRaw, protocol, type RawClient } from './raw-client.ts'

const resume = (userId: string, seqAck: number) => ({
  server_id: GUILD,
  session_id: `s-${userId}`,
  token: `t-${userId}`,
  seq_ack: seqAck,
})

function keyPackage(userId: string): Buffer {
  return Buffer.concat([Buffer.of(26), new DAVESession(1, userId, CHANNEL).getSerializedKeyPackage()])
}

function flipped(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes
}

describe('the voice gateway of the stand-in Discord', () => {
  let stage: Stage
  afterEach(() => stage.close())

  describe('refuses, with the close code that Discord has for it,', () => {
    const mistakes: [code: number, what: string, make: (client: RawClient) => unknown][] = [
      [4001, 'an unknown opcode', (it) => (it.identify('11'), it.send(99, {}))],
      [4001, 'an opcode that is for servers', (it) => (it.identify('11'), it.send(VoiceOpcodes.Ready, {}))],
      [4001, 'an unknown binary opcode', (it) => (it.identify('11'), it.sendRaw(Buffer.of(27, 0)))],
      [4001, 'an empty binary message', (it) => (it.identify('11'), it.sendRaw(Buffer.alloc(0)))],
      [4002, 'what is no JSON', (it) => it.sendRaw('{')],
      [4002, 'an identify without its fields', (it) => it.send(VoiceOpcodes.Identify, { user_id: '11' })],
      [4003, 'anything before identify', (it) => it.send(VoiceOpcodes.Speaking, { speaking: 1, delay: 0, ssrc: 1 })],
      [4003, 'binary before identify', (it) => it.sendRaw(Buffer.of(26))],
      [4004, 'a wrong token', (it) => it.identify('11', { token: 'another' })],
      [4005, 'a second identify', (it) => (it.identify('11'), it.identify('11'))],
      [4006, 'a resume of an unknown session', (it) => it.send(VoiceOpcodes.Resume, resume('11', 0))],
      [4012, 'another protocol than UDP', (it) => (it.identify('11'), it.send(1, protocol({ protocol: 'webrtc' })))],
      [4016, 'an unknown mode', (it) => (it.identify('11'), it.send(1, protocol({ mode: 'xsalsa20_poly1305' })))],
      [4020, 'a broken key package', (it) => (it.identify('11'), it.sendRaw(Buffer.of(26, 1, 2, 3)))],
      [4020, "another user's key package", (it) => (it.identify('11'), it.sendRaw(keyPackage('12')))],
      [
        4020,
        'a key package with a wrong signature',
        (it) => (it.identify('11'), it.sendRaw(flipped(keyPackage('11'), 20))),
      ],
    ]
    for (const [code, what, make] of mistakes)
      it(`${code}: ${what}`, async () => {
        stage = await createStage()
        const client = await openRaw(stage)
        make(client)
        expect(await client.closed).to.equal(code)
        expect(stage.server.isConnected(GUILD, '11')).to.equal(false)
      })

    it('4009: a client that never identifies, and one whose heart stops', async () => {
      stage = await createStage({ timing: { identifyTimeoutMs: 50, heartbeatIntervalMs: 60 } })
      const silent = await openRaw(stage)
      const still = await openRaw(stage)
      still.identify('11')
      expect(await Promise.all([silent.closed, still.closed])).to.deep.equal([4009, 4009])
      await until(() => stage.left.includes('11'), 'the gateway side hears of it')
    })

    it('4017: a client without encryption where it is required', async () => {
      stage = await createStage()
      stage.server.setDave({ version: 1, required: true })
      const client = await openRaw(stage)
      client.identify('11', { max_dave_protocol_version: undefined })
      expect(await client.closed).to.equal(4017)
    })
  })

  it('takes a key package within an MLS message too, as the protocol text has it', async () => {
    stage = await createStage()
    const client = await openDescribed(stage, '11')
    const bare = new DAVESession(1, '11', CHANNEL).getSerializedKeyPackage()
    client.sendRaw(Buffer.concat([Buffer.of(26, 0, 1, 0, 5), bare]))
    const other = await openDescribed(stage, '12')
    other.sendRaw(Buffer.concat([Buffer.of(26), new DAVESession(1, '12', CHANNEL).getSerializedKeyPackage()]))
    const { d } = await other.get(VoiceOpcodes.DaveMlsProposals)
    expect((d as Buffer).includes(bare)).to.equal(true)
  })

  it('greets, names the others before anything about them, and numbers JSON and binary messages in one row', async () => {
    stage = await createStage()
    await openDescribed(stage, '11')
    const client = await openDescribed(stage, '12')
    await client.get(VoiceOpcodes.DaveMlsExternalSender)
    expect(client.messages.map(({ op, seq }) => [op, seq])).to.deep.equal([
      [VoiceOpcodes.Hello, undefined],
      [VoiceOpcodes.Ready, 1],
      [VoiceOpcodes.ClientsConnect, 2],
      [VoiceOpcodes.SessionDescription, 3],
      [VoiceOpcodes.DaveMlsExternalSender, 4],
    ])
    expect(client.messages[0]?.d).to.deep.equal({ v: 8, heartbeat_interval: 13_750 })
    expect(client.messages[2]?.d).to.deep.equal({ user_ids: ['11'] })
    expect(client.messages[3]?.d).to.include({ dave_protocol_version: 1, mode: 'aead_aes256_gcm_rtpsize' })
    expect(client.messages[3]?.d.secret_key).to.have.length(32)
    // Real Discord's is 71 bytes: the point, the credential's type, an identity of one byte.
    expect(client.messages[4]?.d).to.have.length(71)
  })

  it('answers heartbeats without a number and tells who speaks and who goes', async () => {
    stage = await createStage()
    const [ada, ben] = [await openDescribed(stage, '11'), await openDescribed(stage, '12')]
    ada.send(VoiceOpcodes.Heartbeat, { t: 123, seq_ack: 3 })
    expect(await ada.get(VoiceOpcodes.HeartbeatAck)).to.deep.equal({ op: 6, d: { t: 123 } })
    const { ssrc } = (await ada.get(VoiceOpcodes.Ready)).d
    ada.send(VoiceOpcodes.Speaking, { speaking: 1, delay: 0, ssrc })
    expect((await ben.get(VoiceOpcodes.Speaking)).d).to.include({ user_id: '11', speaking: 1, ssrc })
    const late = await openDescribed(stage, '13')
    expect((await late.get(VoiceOpcodes.Speaking)).d).to.include({ user_id: '11', speaking: 1, ssrc })
    stage.server.remove(GUILD, '11', 4014)
    expect(await ada.closed).to.equal(4014)
    expect((await ben.get(VoiceOpcodes.ClientDisconnect)).d).to.deep.equal({ user_id: '11' })
    expect(stage.left).to.deep.equal([])
  })

  it('replays after a resume exactly what the client has not acknowledged, in order', async () => {
    stage = await createStage()
    const client = await openDescribed(stage, '11')
    await client.get(VoiceOpcodes.DaveMlsExternalSender)
    client.drop()
    stage.server.send(GUILD, '11', VoiceOpcodes.ClientsConnect, { user_ids: ['12'] })
    stage.server.sendBinary(GUILD, '11', VoiceOpcodes.DaveMlsProposals, Buffer.of(1, 2, 3))
    const back = await openRaw(stage)
    back.send(VoiceOpcodes.Resume, resume('11', 2))
    await back.get(VoiceOpcodes.DaveMlsProposals)
    expect(back.messages.map(({ op, seq }) => [op, seq])).to.deep.equal([
      [VoiceOpcodes.Hello, undefined],
      [VoiceOpcodes.Resumed, undefined],
      [VoiceOpcodes.DaveMlsExternalSender, 3],
      [VoiceOpcodes.ClientsConnect, 4],
      [VoiceOpcodes.DaveMlsProposals, 5],
    ])
    expect(stage.left).to.deep.equal([])
  })

  it('refuses a resume with a wrong token, of another guild, or from before what was kept', async () => {
    stage = await createStage()
    const client = await openDescribed(stage, '11')
    await client.get(VoiceOpcodes.DaveMlsExternalSender)
    client.send(VoiceOpcodes.Heartbeat, { t: 1, seq_ack: 3 })
    await client.get(VoiceOpcodes.HeartbeatAck)
    client.drop()
    for (const changes of [{ token: 'x' }, { server_id: '1001' }, { seq_ack: 1 }, { seq_ack: 900 }]) {
      const back = await openRaw(stage)
      back.send(VoiceOpcodes.Resume, { ...resume('11', 3), ...changes })
      expect(await back.closed).to.equal(4006)
    }
    const back = await openRaw(stage)
    back.send(VoiceOpcodes.Resume, resume('11', 3))
    await back.get(VoiceOpcodes.Resumed)
  })

  it('gives a lost session up after the grace, and tells the others and the gateway side', async () => {
    stage = await createStage({ timing: { resumeGraceMs: 60 } })
    const [ada, ben] = [await openDescribed(stage, '11'), await openDescribed(stage, '12')]
    ada.drop()
    expect((await ben.get(VoiceOpcodes.ClientDisconnect)).d).to.deep.equal({ user_id: '11' })
    expect(stage.left).to.deep.equal(['11'])
    const back = await openRaw(stage)
    back.send(VoiceOpcodes.Resume, resume('11', 3))
    expect(await back.closed).to.equal(4006)
  })

  it('lets a new session of a user take the place of the old one, whose socket closes with 4014', async () => {
    stage = await createStage()
    const ben = await openDescribed(stage, '12')
    const first = await openDescribed(stage, '11')
    const second = await openDescribed(stage, '11')
    expect(await first.closed).to.equal(4014)
    const of = (op: number) => ben.messages.filter((it) => it.op === op).length
    expect([of(VoiceOpcodes.ClientsConnect), of(VoiceOpcodes.ClientDisconnect)]).to.deep.equal([2, 1])
    expect(stage.left).to.deep.equal([])
    stage.server.closeSocket(GUILD, '11', 'drop')
    expect(await second.closed).to.equal(1006)
  })

  for (const code of [4006, 4014, 4015, 4021, 4022, 1001])
    it(`closes a socket with ${code} on request, and keeps the session only where clients may resume`, async () => {
      stage = await createStage()
      const client = await openDescribed(stage, '11')
      await client.get(VoiceOpcodes.DaveMlsExternalSender)
      expect(stage.server.closeSocket(GUILD, '11', code)).to.equal(true)
      expect(await client.closed).to.equal(code)
      const back = await openRaw(stage)
      back.send(VoiceOpcodes.Resume, resume('11', 3))
      if (code === 4015 || code === 1001) await back.get(VoiceOpcodes.Resumed)
      else expect(await back.closed).to.equal(4006)
    })

  it('says that no one is there where no one is', async () => {
    stage = await createStage()
    expect(stage.server.closeSocket(GUILD, '11', 4014)).to.equal(false)
    expect(stage.server.send(GUILD, '11', 5, {})).to.equal(false)
    expect(stage.server.sendBinary(GUILD, '11', 27, Buffer.of(0))).to.equal(false)
    expect(() => stage.server.remove(GUILD, '11', 4014)).not.to.throw()
    expect(await stage.server.packets(GUILD, '11')).to.include({ packets: 0, lost: 0, firstAtMs: null })
  })

  it('listens on the loopback interface alone', async () => {
    stage = await createStage()
    const port = Number(stage.server.endpoint.split(':')[1])
    const outside = Object.values(networkInterfaces())
      .flatMap((it) => it ?? [])
      .filter((it) => !it.internal && it.family === 'IPv4')
    for (const { address } of outside) {
      const socket = connect(port, address)
      const reached = await new Promise((resolve) =>
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
      )
      socket.destroy()
      expect(reached).to.equal(false)
    }
  })
})
