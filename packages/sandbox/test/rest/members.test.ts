import { expect } from 'chai'
import { AuditLogEvent, Colors, PermissionFlagsBits } from 'discord.js'
import { AUDIT_LOG_ROUTES } from '../../rest/guild/audit-log.ts'
import { BAN_ROUTES } from '../../rest/guild/bans.ts'
import { MEMBER_ROUTES } from '../../rest/guild/members.ts'
import { ROLE_ROUTES } from '../../rest/guild/roles.ts'
import { createUser } from '../../world/applications.ts'
import { addMember } from '../../world/guilds.ts'
import { postMessage } from '../../world/messages.ts'
import { codeOf, describeWalk } from './walk.ts'

const ROUTES = [...ROLE_ROUTES, ...MEMBER_ROUTES, ...BAN_ROUTES, ...AUDIT_LOG_ROUTES]

describeWalk('roles, members and bans of the stand-in', ROUTES, ({ walk }) => {
  function newcomer(name: string) {
    const { sandbox, inside } = walk()
    const user = createUser(sandbox.world.nextId(), name)
    return addMember(sandbox.world, inside, user)
  }

  it('make, change, move and delete roles below those of the bot, and no others', async () => {
    const { guild, event, inside, logged, weak, rest, client } = walk()
    logged()
    const told = event('roleCreate')
    const role = await guild.roles.create({ name: 'Crew', permissions: PermissionFlagsBits.MuteMembers, hoist: true })
    expect((await told)[0].id).to.equal(role.id)
    expect(role.position).to.equal(1)
    const changed = event('roleUpdate')
    await role.edit({ name: 'Stage crew', colors: { primaryColor: Colors.Red }, mentionable: true })
    expect((await changed)[1].name).to.equal('Stage crew')
    expect([inside.roles.get(role.id)!.color, inside.roles.get(role.id)!.colors.primary_color]).to.deep.equal([
      Colors.Red,
      Colors.Red,
    ])
    await role.setPosition(2)
    expect(inside.roles.get(role.id)!.position).to.equal(2)
    const positions = [...inside.roles.values()].map(({ position }) => position).toSorted((a, b) => a - b)
    expect(positions).to.deep.equal(positions.map((_, at) => at))
    expect((await guild.roles.fetch(role.id, { force: true }))!.name).to.equal('Stage crew')
    expect((await guild.roles.fetch()).size).to.equal(inside.roles.size)
    const mine = [...inside.roles.values()].find(({ tags }) => tags?.bot_id === client.user.id)!
    expect((await rest('PATCH', `/guilds/${guild.id}/roles/${mine.id}`, { name: 'x' })).body.code).to.equal(50_013)
    expect((await rest('DELETE', `/guilds/${guild.id}/roles/${guild.id}`)).body.code).to.equal(50_028)
    expect((await weak('POST', `/guilds/${guild.id}/roles`, {})).body.code).to.equal(50_013)
    expect((await rest('POST', `/guilds/${guild.id}/roles`, { color: -1 })).body.errors).to.have.key('color')
    const holder = newcomer('holder')
    const member = await guild.members.fetch(holder.user.id)
    await member.roles.add(role)
    await member.roles.set([])
    await member.roles.set([role])
    await member.roles.remove(role)
    await member.roles.add(role)
    expect((await rest('GET', `/guilds/${guild.id}/roles/member-counts`)).body[role.id]).to.equal(1)
    const gone = event('roleDelete')
    await role.delete()
    expect((await gone)[0].id).to.equal(role.id)
    expect(holder.roles).to.deep.equal([])
    expect(logged()).to.deep.equal([30, 31, 25, 25, 25, 25, 25, 32])
    expect((await rest('GET', `/guilds/${guild.id}/roles/${role.id}`)).body.code).to.equal(10_011)
  })

  it('change members, each change with the permission that it needs', async () => {
    const { guild, memberIds, weak, event, rest } = walk()
    const member = await guild.members.fetch(memberIds[2]!)
    const told = event('guildMemberUpdate')
    await member.setNickname('Stage left', 'the plan')
    expect((await told)[1].nickname).to.equal('Stage left')
    await guild.members.me!.setNickname('Usher')
    expect((await guild.members.search({ query: 'stage', limit: 5 })).has(member.id)).to.equal(true)
    expect((await guild.members.list({ limit: 2 })).size).to.equal(2)
    const path = `/guilds/${guild.id}/members/${member.id}`
    const soon = new Date(Date.now() + 60_000).toISOString()
    for (const change of [{ nick: 'x' }, { communication_disabled_until: soon }, { roles: [guild.id] }, { flags: 4 }]) {
      expect((await weak('PATCH', path, change)).body.code, JSON.stringify(change)).to.equal(50_013)
    }
    expect((await rest('PATCH', path, { nick: 'x'.repeat(33) })).body.errors).to.have.key('nick')
    expect((await rest('PATCH', path, { mute: true })).body.code).to.equal(40_032)
  })

  it('ban one by one and together, keep the list, and delete what was written', async () => {
    const { guild, event, sandbox, inside, rest, weak, logged } = walk()
    logged()
    const { world, demo } = sandbox
    const loud = newcomer('loud')
    const place = { guild: inside, channelId: demo.textChannelId }
    const said = postMessage(world, place, { author: loud.user, draft: { content: 'spam' } })
    const told = event('guildBanAdd')
    const swept = event('messageDeleteBulk')
    await guild.bans.create(loud.user.id, { reason: 'spam', deleteMessageSeconds: 60 })
    expect((await told)[0].user.id).to.equal(loud.user.id)
    await swept
    expect(world.messages.get(demo.textChannelId)?.has(said.id)).to.equal(false)
    expect((await guild.bans.fetch(loud.user.id)).reason).to.equal('spam')
    expect(inside.members.has(loud.user.id)).to.equal(false)
    const others = [newcomer('one'), newcomer('two')].map(({ user }) => user.id)
    const result = await guild.bans.bulkCreate([...others, inside.ownerId])
    expect([result.bannedUsers, result.failedUsers]).to.deep.equal([others, [inside.ownerId]])
    expect(await codeOf(guild.bans.bulkCreate(others))).to.equal(500_000)
    expect((await guild.bans.fetch()).size).to.equal(3)
    expect((await rest('GET', `/guilds/${guild.id}/bans?limit=1&after=${loud.user.id}`)).body[0].user.id).to.equal(
      others[0],
    )
    const freed = event('guildBanRemove')
    await guild.bans.remove(loud.user.id)
    expect((await freed)[0].user.id).to.equal(loud.user.id)
    expect((await rest('GET', `/guilds/${guild.id}/bans/${loud.user.id}`)).body.code).to.equal(10_026)
    expect((await weak('PUT', `/guilds/${guild.id}/bans/${others[0]}`, {})).body.code).to.equal(50_013)
    expect(logged()).to.deep.equal([22, 22, 22, 23])
  })

  it('kick members, prune those who were not seen, and keep who did what', async () => {
    const { guild, event, inside, advance, rest, weak, client, logged } = walk()
    logged()
    const kicked = newcomer('kicked')
    const told = event('guildMemberRemove')
    await (await guild.members.fetch(kicked.user.id)).kick('enough')
    expect((await told)[0].id).to.equal(kicked.user.id)
    const { entries } = await guild.fetchAuditLogs({ type: AuditLogEvent.MemberKick, limit: 5 })
    const entry = entries.first()!
    expect([entry.executorId, entry.targetId, entry.reason]).to.deep.equal([client.user.id, kicked.user.id, 'enough'])
    expect((await guild.fetchAuditLogs({ user: inside.ownerId })).entries.size).to.equal(0)
    expect((await weak('GET', `/guilds/${guild.id}/audit-logs`)).body.code).to.equal(50_013)
    advance(8 * 86_400_000)
    newcomer('fresh')
    const idle = await guild.members.prune({ days: 7, dry: true })
    expect(idle).to.be.greaterThan(0)
    expect(await guild.members.prune({ days: 7 })).to.equal(idle)
    expect(await guild.members.prune({ days: 7, dry: true })).to.equal(0)
    expect((await rest('GET', `/guilds/${guild.id}/prune?days=31`)).body.errors).to.have.key('days')
    expect(logged()).to.deep.equal([20, 21])
  })
})
