import type { Client } from 'discord.js'
import { expect } from 'chai'
import { putCommands } from '../../../bot/commands/interactions/deploy-commands.ts'

const PLAY = { name: 'play', description: 'Plays.' }
const LAUNCH = { id: '7', application_id: '1', version: '1', type: 4, name: 'launch', description: '', handler: 2 }

/** Discord, which refuses a list without the entry point that it has. */
function discordWith(known: readonly object[]) {
  const put: unknown[] = []
  const rest = {
    get: async () => known,
    put: async (_: string, { body }: { body: readonly { id?: string }[] }) => {
      if (known.includes(LAUNCH) && !body.some(({ id }) => id === LAUNCH.id)) throw new Error('50240')
      put.push(body)
    },
  }
  return { client: { rest } as unknown as Client, put }
}

describe('the registration of commands', () => {
  it('sends the entry point of an app with Activities back as it is', async () => {
    const { client, put } = discordWith([LAUNCH])
    expect(await putCommands(client, '1', [{ definition: PLAY }])).to.equal(true)
    expect(put).to.deep.equal([[PLAY, LAUNCH]])
  })

  it('sends nothing where Discord knows all commands, with an entry point and without', async () => {
    for (const entry of [[LAUNCH], []]) {
      const { client, put } = discordWith([{ ...PLAY, id: '2', type: 1 }, ...entry])
      const definition = { ...PLAY, type: 1 } as const
      expect(await putCommands(client, '1', [{ definition }])).to.equal(false)
      expect(put).to.deep.equal([])
    }
  })
})
