import { DAVESession } from '@snazzah/davey'
import { expect } from 'chai'
import { createLeaves } from '../../voice/dave/leaves.ts'
import { splitCommitWelcome } from '../../voice/mls/commit.ts'
import { createExternalSender } from '../../voice/mls/external-sender.ts'
import { readKeyPackage } from '../../voice/mls/key-package.ts'
import { createReader, MalformedMessage } from '../../voice/mls/reader.ts'
import { readWelcome } from '../../voice/mls/welcome.ts'
import { uint16, uint32, uint64, uint8, vector } from '../../voice/mls/writer.ts'
import { createOutbox } from '../../voice/outbox.ts'

const CHANNEL = '5000'

/** A dice that rolls the same each time. */
function createDice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

/** A real commit that adds two users, and its welcome: op 28 of a client with one op 27 of ours. */
function makeCommit() {
  const sender = createExternalSender()
  const committer = new DAVESession(1, '11', CHANNEL)
  committer.setExternalSender(sender.announcement)
  committer.getSerializedKeyPackage()
  const newcomers = ['12', '13'].map((userId) => {
    const session = new DAVESession(1, userId, CHANNEL)
    session.setExternalSender(sender.announcement)
    return { userId, session, keyPackage: readKeyPackage(session.getSerializedKeyPackage(), userId) }
  })
  const proposals = newcomers.map(({ keyPackage }) =>
    sender.proposeAdd({ groupId: BigInt(CHANNEL), epoch: 0n }, keyPackage.bytes),
  )
  const list = vector(...proposals.map(({ message }) => message))
  const { commit, welcome } = committer.processProposals(0, list, ['11', '12', '13'])
  if (!commit || !welcome) throw new Error('No commit with a welcome was made.')
  return { committer, newcomers, refs: proposals.map(({ ref }) => ref), commit, welcome }
}

describe('the MLS messages of the delivery service', () => {
  it('read back what was written, at every size of a length', () => {
    for (const size of [0, 1, 63, 64, 16_383, 16_384, 70_000]) {
      const bytes = Buffer.concat([uint8(1), uint16(2), uint32(3), uint64(4n), vector(Buffer.alloc(size, 7)), uint8(9)])
      const reader = createReader(bytes)
      expect([reader.uint8(), reader.uint16(), reader.uint32(), reader.uint64()]).to.deep.equal([1, 2, 3, 4n])
      expect(reader.vector()).to.have.length(size)
      expect(reader.uint8()).to.equal(9)
      expect(() => reader.end()).not.to.throw()
    }
  })

  it('refuse lengths that are not in their shortest form, that are invalid, or that reach beyond the end', () => {
    for (const hex of ['4001ff', '80000001ff', 'c0', '', '05010203', '40', '7fff'])
      expect(() => createReader(Buffer.from(hex, 'hex')).vector(), hex).to.throw(MalformedMessage)
    expect(() => createReader(Buffer.of(0)).end()).to.throw(MalformedMessage)
  })

  it('name the proposals as real clients do, and take their commit and welcome apart', () => {
    const { committer, newcomers, refs, commit, welcome } = makeCommit()
    const halves = splitCommitWelcome(Buffer.concat([commit, welcome]))
    expect(halves.commit).to.include({ epoch: 0n, senderLeaf: 0 })
    expect(halves.commit.groupId).to.deep.equal(uint64(BigInt(CHANNEL)))
    expect(halves.commit.proposals).to.have.members(refs)
    expect(halves.commit.message).to.deep.equal(commit)
    expect(halves.welcome).to.deep.equal(welcome)
    expect(splitCommitWelcome(commit).welcome).to.equal(null)

    committer.processCommit(commit)
    for (const { session, keyPackage } of newcomers) {
      const own = readWelcome(welcome).cutFor(keyPackage.ref)
      expect(own?.length).to.be.below(welcome.length)
      session.processWelcome(own as Buffer)
      expect(session.voicePrivacyCode).to.equal(committer.voicePrivacyCode)
    }
    expect(readWelcome(welcome).cutFor('00')).to.equal(null)
  })

  it('let broken bytes end in MalformedMessage and nothing else', () => {
    const roll = createDice(1)
    const { commit, welcome } = makeCommit()
    const keyPackage = new DAVESession(1, '11', CHANNEL).getSerializedKeyPackage()
    const readers: [Buffer, (bytes: Buffer) => unknown][] = [
      [Buffer.concat([commit, welcome]), splitCommitWelcome],
      [welcome, readWelcome],
      [keyPackage, (bytes) => readKeyPackage(bytes, '11')],
    ]
    for (const [good, read] of readers) {
      for (let round = 0; round < 500; round++) {
        const bad = Buffer.from(good.subarray(0, roll(4) === 0 ? roll(good.length) : good.length))
        for (let change = roll(3); change >= 0 && bad.length > 0; change--) bad.writeUInt8(roll(256), roll(bad.length))
        try {
          read(bad)
        } catch (error) {
          expect(error).to.be.instanceOf(MalformedMessage)
        }
      }
    }
  })

  it('place members as the tree does: leftmost blank first, nothing blank at the right', () => {
    const leaves = createLeaves()
    const keyPackage = readKeyPackage(new DAVESession(1, '1', CHANNEL).getSerializedKeyPackage(), '1')
    const add = (userId: string) => leaves.add({ userId, keyPackage })
    for (const userId of ['1', '2', '3', '4']) add(userId)
    leaves.blank(1)
    leaves.blank(3)
    expect([leaves.indexOf('3'), leaves.indexOf('4')]).to.deep.equal([2, -1])
    add('5')
    add('6')
    expect(['1', '5', '3', '6'].map((userId) => leaves.indexOf(userId))).to.deep.equal([0, 1, 2, 3])
    for (const index of [3, 2, 1]) leaves.blank(index)
    expect(leaves.members.map(({ userId }) => userId)).to.deep.equal(['1'])
  })
})

describe('the numbered messages of a voice session', () => {
  it('are replayed across the wrap of their numbers', () => {
    const outbox = createOutbox()
    for (let count = 1; count <= 65_540; count++) {
      outbox.add(String)
      if (count % 500 === 0) outbox.acknowledge(count % 65_536)
    }
    outbox.acknowledge(65_534)
    expect(outbox.since(65_534)).to.deep.equal(['65535', '0', '1', '2', '3', '4'])
    expect(outbox.since(2)).to.deep.equal(['3', '4'])
    expect(outbox.since(4)).to.deep.equal([])
  })

  it('are not replayed where some are gone or were never sent', () => {
    const outbox = createOutbox()
    expect(outbox.since(-1)).to.deep.equal([])
    for (let count = 1; count <= 1200; count++) outbox.add(String)
    expect(outbox.since(-1)).to.equal(null)
    expect(outbox.since(100)).to.equal(null)
    expect(outbox.since(200)).to.have.length(1000)
    expect(outbox.since(1500)).to.equal(null)
  })
})
