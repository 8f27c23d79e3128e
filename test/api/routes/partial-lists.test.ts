import { expect } from 'chai'
import { startApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'
import { startDashboard } from '../../support/dashboard.ts'
import { channelId, guildId } from '../../support/fake-music.ts'

const LIST = 'https://list.example'
const BOT = '900000000000000001'

describe('a list of which a site gives a part', () => {
  const keep = closing()

  it('is answered with the number of its tracks by the API, and in words by the dashboard', async () => {
    const api = keep(await startApi())
    const body = { query: LIST, channelId }
    const played = await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body })
    expect(played.body.data).to.include({ added: 3, total: 2503 })
    const dashboard = keep(await startDashboard())
    const { context } = dashboard
    const projectId = (await dashboard.project('Harbour radio')).id
    const owner = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'owner' }))
    await context.bots.add({ id: BOT, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    await context.music.play({ projectId, botId: BOT, playerCeiling: 5 }, guildId, { query: 'night', channelId })
    const page = `/dashboard/projects/${projectId}/players/${BOT}/${guildId}`
    const added = await owner.post(`${page}/add`, { query: LIST, answer: 'json' }, { page })
    expect(JSON.parse(added.text)).to.deep.equal({ refused: null, said: 'Added 3 of 2,503 tracks.' })
  })
})
