import { join } from 'node:path'
import { expect } from 'chai'
import type { Sandbox } from 'bandstand-sandbox'
import { temporaryFolder } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'
import { createCaller, openSandbox, type Rest } from './stage.ts'

const PLAY = { name: 'play', description: 'Plays.' }

describe('Activities of an application in the stand-in', () => {
  const folder = temporaryFolder()
  let sandbox: Sandbox
  let rest: Rest
  let path: string
  const open = async (options: Parameters<typeof openSandbox>[0] = {}) => {
    sandbox = await openSandbox({ demoMember: false, ...options })
    const { applicationId, botToken } = sandbox.demo
    rest = createCaller(`${sandbox.url}/api/v10`, botToken)
    path = `/applications/${applicationId}/commands`
  }
  const turn = (activities: boolean) =>
    sandbox.client.call('PATCH', `/applications/${sandbox.demo.applicationId}`, { activities })
  const embedded = async () => (await rest('GET', '/applications/@me')).body.flags & (1 << 17)
  const names = async () => (await rest('GET', path)).body.map(({ type, name }: any) => `${type} ${name}`)
  afterEach(() => sandbox.close())
  after(() => folder.remove())

  it('come with a command of type 4, which no list of commands may leave out', async () => {
    await open()
    await rest('PUT', path, [PLAY])
    await turn(true)
    expect(await names()).to.deep.equal(['1 play', '4 launch'])
    const [, launch] = (await rest('GET', path)).body
    expect(launch).to.deep.include({ type: 4, handler: 2, description: '', contexts: [0, 1, 2] })
    const stop = { name: 'stop', description: 'Stops.' }
    const refused = await rest('PUT', path, [PLAY, stop])
    expect([refused.status, refused.body.code]).to.deep.equal([400, 50_240])
    expect(await names(), 'nothing of the list was taken').to.deep.equal(['1 play', '4 launch'])
    const taken = await rest('PUT', path, [PLAY, stop, { ...launch, name: 'open' }])
    expect(taken.status).to.equal(200)
    expect(taken.body[2]).to.include({ id: launch.id, name: 'open', handler: 2 })
  })

  it('show in the flags of the application, and take their command along when they are turned off', async () => {
    await open({ activities: true })
    expect([await embedded(), await names()]).to.deep.equal([1 << 17, ['4 launch']])
    await turn(false)
    expect([await embedded(), await names()]).to.deep.equal([0, []])
  })

  it('outlast a restart with the same command', async () => {
    const stateFile = join(folder.path, 'sandbox.json')
    await open({ stateFile, activities: true })
    const [{ id }] = (await rest('GET', path)).body
    await sandbox.close()
    await open({ stateFile })
    const { body } = await rest('GET', path)
    expect(body.map((command: any) => command.id)).to.deep.equal([id])
    expect((await rest('PUT', path, [PLAY])).body.code).to.equal(50_240)
  })
})

describe('a service with the Activity', () => {
  it('registers all commands of its bot, beside the one that Discord has made', async () => {
    const service = await startService({
      env: {
        ACTIVITY: 'on',
        DISCORD_CLIENT_ID: '111111111111111111',
        DISCORD_CLIENT_SECRET: 'tide and quay',
        LOG_LEVEL: 'info',
      },
    })
    try {
      await service.logged('commands registered')
      const { body } = await service.sandbox('GET', `/sandbox/guilds/${service.demo.guildId}/commands`)
      const byType = (wanted: number) => body.filter(({ type }: any) => type === wanted).map(({ name }: any) => name)
      expect(byType(4)).to.deep.equal(['launch'])
      expect(byType(1)).to.include.members(['play', 'skip', 'queue', 'web', 'help'])
    } finally {
      await service.stop()
    }
  })
})
