import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseWorld, startSandbox, WorldError, type Sandbox, type WorldDraft } from 'bandstand-sandbox'
import { getGuild, Permission, permissionsOf } from 'bandstand-sandbox/world'
import { logIn } from './stage.ts'

const WORLD = `
clock: { at: 2027-03-01T12:00:00Z, frozen: true }
applications:
  - name: Quizmaster
    token: quizmaster-token
    intents: [MessageContent]
    commands:
      - { name: quiz, description: Start a quiz }
guilds:
  - name: Night School
    owner: mira
    everyone: [ViewChannel, SendMessages, Connect, Speak]
    roles:
      - { name: Teacher, permissions: [ManageMessages], color: 3447003, hoist: true }
    channels:
      - { name: Rooms, type: category }
      - name: hall
        parent: Rooms
        topic: Ask here
        slowmodeSeconds: 5
        overwrites:
          - { role: '@everyone', deny: [SendMessages] }
          - { member: jonas, allow: [SendMessages] }
        messages:
          - { author: mira, content: Welcome, pinned: true, at: 2027-02-01T08:00:00Z }
          - { author: Quizmaster, content: Ready, embeds: [{ title: Rules }] }
      - { name: Aula, type: voice, userLimit: 7 }
    members:
      - { name: mira, displayName: Mira }
      - { name: jonas, roles: [Teacher], nick: Jo, voice: { channel: Aula, client: false, selfMute: true } }
    applications:
      - { application: Quizmaster, permissions: [Administrator] }
`

/** Why a world is not taken. */
function wrong(draft: unknown): WorldError {
  try {
    parseWorld(draft, 'quiz.yaml')
  } catch (error) {
    if (error instanceof WorldError) return error
  }
  throw new Error('It was taken.')
}

describe('worlds of the sandbox as files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'worlds-'))
  const open: Sandbox[] = []
  after(async () => {
    await Promise.all(open.map((one) => one.close()))
    rmSync(dir, { recursive: true })
  })

  async function start(world: string | WorldDraft): Promise<Sandbox> {
    const sandbox = await startSandbox({ world })
    open.push(sandbox)
    return sandbox
  }

  function write(name: string, text: string): string {
    const file = join(dir, name)
    writeFileSync(file, text)
    return file
  }

  it('start with the guilds, people, messages and bots of a YAML file, into which the bots log in', async () => {
    const sandbox = await start(write('school.yaml', WORLD))
    const client = await logIn(sandbox, { token: 'quizmaster-token' })
    const guild = client.guilds.cache.first()!
    expect(guild.name).to.equal('Night School')
    expect((await client.application.commands.fetch()).map(({ name }) => name)).to.deep.equal(['quiz'])
    const hall = guild.channels.cache.find(({ name }) => name === 'hall')
    if (!hall?.isTextBased()) throw new Error('no hall')
    expect(hall.parent?.name).to.equal('Rooms')
    const messages = await hall.messages.fetch()
    expect(messages.map(({ content, pinned }) => [content, pinned])).to.deep.equal([
      ['Ready', false],
      ['Welcome', true],
    ])
    const [world] = sandbox.world.guilds.values()
    const idOf = (name: string) => world!.members.values().find(({ user }) => user.username === name)!.user.id
    const may = (name: string) => permissionsOf(world!, idOf(name), world!.channels.get(hall.id))
    expect(may('jonas') & Permission.SendMessages).to.equal(Permission.SendMessages)
    expect(may('mira') & Permission.Administrator).to.equal(Permission.Administrator)
    expect(world!.voice.get(idOf('jonas'))?.selfMute).to.equal(true)
    expect(sandbox.world.now()).to.equal(Date.UTC(2027, 2, 1, 12))
    expect(() => sandbox.demo).to.throw('without a demo guild')
    await client.destroy()
  })

  it('are exported so that a sandbox which starts with the export exports the same', async () => {
    const first = await start(write('school-2.yaml', WORLD))
    const exported = await first.client.exportWorld()
    expect(exported.guilds?.[0]?.channels?.[1]?.messages).to.have.length(2)
    expect(exported.guilds?.[0]?.members[1]).to.deep.include({ roles: ['Teacher'], nick: 'Jo' })
    const again = await start(exported)
    expect(await again.client.exportWorld()).to.deep.equal(exported)
  })

  it('name every mistake with its path', async () => {
    const { message } = wrong({
      guilds: [
        { name: 'A', members: [], chanels: [] },
        { name: 5, members: [{ name: 'mira' }] },
      ],
    })
    expect(message).to.equal(
      'quiz.yaml has 3 mistakes:\n' +
        '  guilds.0.members: A guild needs a member, who owns it.\n' +
        '  guilds.0.chanels: Unknown field. Did you mean channels?\n' +
        '  guilds.1.name: Must be a string: quote it.',
    )
    const lost = {
      guilds: [
        {
          name: 'A',
          owner: 'mirra',
          roles: [{ name: 'DJ' }],
          channels: [
            { name: 'x', overwrites: [{ role: 'DJs', deny: [] }], messages: [{ author: 'mira', content: 'hi' }] },
          ],
          members: [{ name: 'mira', voice: { channel: 'x' } }],
          applications: ['Bot'],
        },
      ],
    }
    const error = await start(lost).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(WorldError)
    expect(
      (error as WorldError).problems.map(({ path, message: said }) => `${path}: ${said.split('.')[0]}`),
    ).to.deep.equal([
      'guilds.0.owner: No member is called mirra',
      'guilds.0.applications.0: No application is called Bot',
      'guilds.0.channels.0.overwrites.0.role: No role is called DJs',
      "guilds.0.members.0.voice.channel: x isn't a voice channel",
    ])
    expect(await start(join(dir, 'none.yaml')).catch(String))
      .to.include('none.yaml has a mistake')
      .and.include("Can't be read")
    expect(await start(write('broken.json', '{ "guilds": [')).catch(String)).to.include('Is no valid JSON')
    expect(await start(write('broken.yaml', 'guilds: [')).catch(String)).to.include('Is no valid YAML')
  })

  it('are replaced while bots are connected, and reset returns to the last one', async () => {
    const sandbox = await start(write('school-3.yaml', WORLD))
    const { client: control } = sandbox
    await control.loadWorld({
      applications: [{ name: 'Other', token: 'other-token' }],
      guilds: [{ name: 'Day School', members: [{ name: 'zola' }], applications: ['Other'] }],
    })
    const client = await logIn(sandbox, { token: 'other-token' })
    expect(client.guilds.cache.map(({ name }) => name)).to.deep.equal(['Day School'])
    await control.deleteGuild((await control.guild('Day School')).id)
    await control.reset()
    expect(getGuild(sandbox.world, (await control.guild('Day School')).id).members.size).to.equal(2)
    const refused = await control
      .loadWorld({ guilds: [{ name: 'B', members: [{ name: 'a1' }], owner: 'b1' }] })
      .catch(String)
    expect(refused).to.include('guilds.0.owner: No member is called b1.')
    expect((await control.guilds()).map(({ name }) => name)).to.deep.equal(['Day School'])
    await client.destroy()
  })
})
