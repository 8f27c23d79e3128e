import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { startSandbox, type GuildView, type MemberClient, type MessageView, type Sandbox } from 'bandstand-sandbox'
import { eventually } from '../support/service.ts'

const FOLDER = import.meta.dirname
const TOKEN = 'tictactoe-token'

const WORLD = {
  applications: [{ name: 'Tictactoe', token: TOKEN }],
  guilds: [
    {
      name: 'Arcade',
      channels: [{ name: 'games' }],
      members: [
        { name: 'mira', displayName: 'Mira' },
        { name: 'jonas', displayName: 'Jonas' },
      ],
      applications: ['Tictactoe'],
    },
  ],
}

interface Button {
  readonly custom_id: string
  readonly label: string
}

const buttonsOf = (message: MessageView) =>
  (message.components as unknown as { components: Button[] }[]).flatMap(({ components }) => components)

const isTurnOf = ({ userId }: MemberClient, message?: MessageView) =>
  message?.content.includes(`<@${userId}>, select your move`) === true

/** The command of discord-tictactoe as npm has it, with two settings: its token, and patience. */
function startBot(sandbox: Sandbox): ChildProcessWithoutNullStreams {
  const redirect = join(FOLDER, '../../packages/sandbox/foreign-bot.mjs')
  return spawn(process.execPath, ['node_modules/discord-tictactoe/dist/bin/tictactoe.js'], {
    cwd: FOLDER,
    env: {
      TOKEN,
      GAME_EXPIRE_TIME: '600',
      SANDBOX_URL: sandbox.url,
      NODE_OPTIONS: `--no-warnings --import ${redirect}`,
    },
  })
}

describe('a bot of others that is not about music, with settings only', () => {
  let sandbox: Sandbox
  let bot: ChildProcessWithoutNullStreams
  let guild: GuildView
  let mira: MemberClient
  let jonas: MemberClient

  before(async () => {
    sandbox = await startSandbox({ world: WORLD })
    bot = startBot(sandbox)
    bot.stderr.pipe(process.stderr)
    const [line] = (await once(createInterface(bot.stdout), 'line')) as [string]
    expect(line).to.contain('ready')
    guild = await sandbox.client.guild('Arcade')
    mira = sandbox.client.member(guild.id, guild.ownerId)
    jonas = sandbox.client.member(guild.id, guild.members.find(({ name }) => name === 'Jonas')!.id)
  })
  after(async () => {
    bot.kill()
    await once(bot, 'exit')
    await sandbox.close()
  })

  const channelId = () => guild.channels[0]!.id
  const now = async (id: string) =>
    (await sandbox.client.messages(guild.id, channelId())).find((message) => message.id === id)
  /** Presses until it works, like people: a bot that shows a button before it listens misses the first press. */
  const press = (id: string, player: MemberClient, button: string, isDone: (message?: MessageView) => boolean) =>
    eventually(async () => {
      await player.press(id, button, { waitMs: 2000 }).catch(() => undefined)
      return now(id)
    }, isDone)

  async function play(id: string, player: MemberClient, cell: number): Promise<void> {
    await eventually(
      () => now(id),
      (message) => isTurnOf(player, message),
    )
    await press(id, player, String(cell), (message) => buttonsOf(message!)[cell]?.label !== '-')
  }

  it('registers its command when the owner asks for it', async () => {
    const { id } = guild.members.find(({ bot: isBot }) => isBot)!
    await mira.say(channelId(), `<@${id}> tttdeploy`)
    await sandbox.client.record.expectRequest({
      method: 'POST',
      path: '/applications/*/guilds/*/commands',
      status: 201,
    })
    await sandbox.client.record.expectRequest({ body: { content: 'Command /tictactoe has been registered.' } })
  })

  it('lets two members duel: one accepts, and both play to the end', async () => {
    const challenge = await mira.command('tictactoe', { opponent: jonas.userId })
    const [accept] = buttonsOf(challenge.message!)
    expect(accept).to.include({ label: 'Accept' })
    const id = challenge.message!.id
    const isOn = (message?: MessageView) => isTurnOf(mira, message) || isTurnOf(jonas, message)
    const board = await press(id, jonas, accept!.custom_id, isOn)
    const [first, second] = isTurnOf(mira, board) ? [mira, jonas] : [jonas, mira]
    for (const [player, cell] of [
      [first, 0],
      [second, 3],
      [first, 1],
      [second, 4],
      [first, 2],
    ] as const)
      await play(id, player, cell)
    const over = await eventually(
      () => now(id),
      (message) => message?.content.includes('has won the game') === true,
    )
    expect(over!.content).to.contain(`<@${first.userId}> has won`)
    // The bot draws lots who is X.
    const marks = buttonsOf(over!).map(({ label }) => label)
    const [mine, theirs] = marks[0] === 'X' ? ['X', 'O'] : ['O', 'X']
    expect(marks).to.deep.equal([mine, mine, mine, theirs, theirs, '-', '-', '-', '-'])
  })
})
