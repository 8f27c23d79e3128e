import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../config.ts'
import { DISCORD_USER_AGENT, HOMEPAGE, userAgent, VERSION } from '../../lib/identity.ts'

import { createDiscordSignIn } from '../../upstream/discord/discord-oauth.ts'
import { identifyBot } from '../../upstream/discord/discord.ts'
import { startStandIn } from '../support/upstreams/stand-in.ts'

describe('who asks outside services', () => {
  const { version, homepage } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
    homepage: string
  }

  it('is named with the version and the address of the package, everywhere the same', () => {
    expect([VERSION, HOMEPAGE]).to.deep.equal([version, homepage])
    const own = `Bandstand/${version} (${homepage}; self-hosted Discord bot)`
    expect(userAgent()).to.equal(own)
    const { utilities, egress } = readConfig({})
    expect([utilities.userAgent, egress.userAgent]).to.deep.equal([own, own])
  })

  it('is told to Discord in the form that Discord asks for', () => {
    expect(DISCORD_USER_AGENT).to.match(/^DiscordBot \(https:\/\/[^\s,]+, \d+\.\d+\.\d+\)$/)
  })

  it('is told to Discord by each call, of a sign-in and of the check of a token', async () => {
    const person = { id: '81384788765712384', username: 'mira', bot: true }
    const discord = await startStandIn(({ path }) => ({
      json: path.endsWith('/oauth2/token') ? { access_token: 'x', token_type: 'Bearer' } : person,
    }))
    const signIn = createDiscordSignIn({ apiUrl: discord.url, clientId: '1', clientSecret: 'x' })
    const someone = { key: '203.0.113.9', isSignedIn: false }
    await signIn.identify({ code: 'x', verifier: 'x', returnUrl: 'https://bot.example/' }, someone)
    await identifyBot({ apiUrl: discord.url, token: 'x' })
    expect(discord.received.map(({ headers }) => headers['user-agent'])).to.deep.equal(
      Array.from({ length: 4 }, () => DISCORD_USER_AGENT),
    )
    await discord.close()
  })

  it('has the contact of the operator where there is one, or the text that replaces all', () => {
    const { utilities, egress } = readConfig({ UPSTREAM_CONTACT: 'mailto:bots@example.org' })
    expect(utilities.userAgent).to.contain('(mailto:bots@example.org; ').and.to.equal(egress.userAgent)
    expect(readConfig({ UPSTREAM_USER_AGENT: 'Mine/1' }).utilities.userAgent).to.equal('Mine/1')
    expect(() => readConfig({ UPSTREAM_CONTACT: 'two words' })).to.throw('UPSTREAM_CONTACT')
  })
})
