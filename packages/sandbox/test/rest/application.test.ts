import { expect } from 'chai'
import { EntitlementType, SKUFlags, SKUType } from 'discord.js'
import { APPLICATION_EMOJI_ROUTES } from '../../rest/application/emojis.ts'
import { ENTITLEMENT_ROUTES } from '../../rest/application/entitlements.ts'
import { getApplication } from '../../world/world.ts'
import { nameOperation, readOperations } from '../openapi.ts'
import { ALL_ROUTES, describeWalk, PNG } from './walk.ts'

/** Routes that Discord's document lacks, though its documentation or its clients have them. */
const UNDOCUMENTED = new Set(['GET /applications/{}/skus', 'GET /applications/detectable'])

describeWalk('an application of the stand-in', [...APPLICATION_EMOJI_ROUTES, ...ENTITLEMENT_ROUTES], ({ walk }) => {
  it('has emojis of its own', async () => {
    const { client, rest } = walk()
    const { emojis } = client.application
    const emoji = await emojis.create({ attachment: PNG, name: 'play' })
    await emoji.edit({ name: 'pause' })
    expect((await emojis.fetch(emoji.id, { force: true })).name).to.equal('pause')
    expect((await emojis.fetch()).size).to.equal(1)
    await emoji.delete()
    const path = `/applications/${client.application.id}/emojis`
    expect((await rest('GET', `${path}/${emoji.id}`)).body.code).to.equal(10_014)
    expect((await rest('GET', '/applications/1/emojis')).body.code).to.equal(50_001)
  })

  it('sells, and tests what it sells', async () => {
    const { client, sandbox, guild, memberIds, event, rest } = walk()
    const inside = getApplication(sandbox.world, client.application.id)
    const id = sandbox.world.nextId()
    const sku = { id, type: SKUType.Subscription, application_id: inside.id, name: 'Front row', slug: 'front-row' }
    inside.skus.push({ ...sku, flags: SKUFlags.Available | SKUFlags.UserSubscription })
    expect((await client.application.fetchSKUs()).get(id)!.name).to.equal('Front row')
    const told = event('entitlementCreate')
    const { entitlements } = client.application
    const mine = await entitlements.createTest({ sku: id, user: memberIds[0]! })
    expect((await told)[0].id).to.equal(mine.id)
    expect(mine.type).to.equal(EntitlementType.ApplicationSubscription)
    await entitlements.createTest({ sku: id, guild: guild.id })
    expect((await entitlements.fetch({ user: memberIds[0]! })).has(mine.id)).to.equal(true)
    expect((await entitlements.fetch({ guild: guild.id })).size).to.equal(1)
    await entitlements.consume(mine.id)
    expect((await rest('GET', `/applications/${inside.id}/entitlements/${mine.id}`)).body.consumed).to.equal(true)
    const gone = event('entitlementDelete')
    await entitlements.deleteTest(mine.id)
    expect((await gone)[0].id).to.equal(mine.id)
    const unknown = await rest('POST', `/applications/${inside.id}/entitlements`, {
      sku_id: '1',
      owner_id: '1',
      owner_type: 2,
    })
    expect(unknown.body.code).to.equal(10_027)
  })

  it('finds every route in the OpenAPI document of Discord, and 501 for what that has and the stand-in has not', async () => {
    const documented = readOperations()
    const mine = new Set(ALL_ROUTES.map(({ method, path }) => nameOperation(method, path)))
    expect([...mine].filter((one) => !documented.has(one) && !UNDOCUMENTED.has(one))).to.deep.equal([])
    const { rest } = walk()
    const missing = [...documented].filter((one) => !mine.has(one) && !one.includes('@original'))
    const wrong: string[] = []
    for (const operation of missing) {
      const [method = '', path = ''] = operation.split(' ')
      const { status, body } = await rest(method, path.replaceAll('{}', '1'), method === 'GET' ? undefined : {})
      if (status !== 501 || !/does not implement/.test(body?.message)) wrong.push(`${operation}: ${status}`)
    }
    expect(wrong).to.deep.equal([])
    expect(missing.length + mine.size).to.be.greaterThan(200)
  })
})
