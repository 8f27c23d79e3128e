import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { openSandbox } from './stage.ts'
import type { Sandbox } from 'bandstand-sandbox'

const BACK = 'http://127.0.0.1:1/back'

describe('signing in with the stand-in Discord', () => {
  let sandbox: Sandbox
  let basic: string
  let member: string

  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
    const { applicationId, botToken, memberIds } = sandbox.demo
    basic = `Basic ${Buffer.from(`${applicationId}:${botToken}`).toString('base64')}`
    member = memberIds[0] ?? ''
  })
  after(() => sandbox.close())

  const authorize = (fields: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: sandbox.demo.applicationId,
      redirect_uri: BACK,
      state: 'abc',
      ...fields,
    })
    return fetch(`${sandbox.url}/oauth2/authorize?${query.toString()}`, { redirect: 'manual' })
  }
  const post = (path: string, fields: Readonly<Record<string, string>>, authorization = basic) =>
    fetch(`${sandbox.url}/api/v10${path}`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(fields),
    })
  const codeOf = async (fields: Readonly<Record<string, string>> = {}) => {
    const { headers } = await authorize({ as: member, ...fields })
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  }
  const token = (code: string, more: Readonly<Record<string, string>> = {}) =>
    post('/oauth2/token', { grant_type: 'authorization_code', code, redirect_uri: BACK, ...more })

  it('asks who one is, and comes back with a code and the state', async () => {
    expect(await (await authorize({})).text()).to.include('Continue as mira')
    const { status, headers } = await authorize({ as: member })
    const back = new URL(headers.get('location') ?? '')
    expect([status, back.origin + back.pathname, back.searchParams.get('state')]).to.deep.equal([302, BACK, 'abc'])
    expect((await authorize({ as: '' })).headers.get('location')).to.include('error=access_denied')
  })

  it('takes a code once, with the secret, for the same address', async () => {
    const code = await codeOf()
    const granted = await token(code)
    const body = (await granted.json()) as any
    expect([granted.status, body.token_type, body.scope]).to.deep.equal([200, 'Bearer', 'identify'])
    expect((await token(code)).status).to.equal(400)
    expect((await token(await codeOf(), { redirect_uri: 'http://127.0.0.1:1/other' })).status).to.equal(400)
    expect((await post('/oauth2/token', { code: await codeOf() }, 'Basic eDp5')).status).to.equal(401)
  })

  it('holds a code with a challenge against its verifier', async () => {
    const code_challenge = createHash('sha256').update('secret words').digest('base64url')
    const wish = { code_challenge, code_challenge_method: 'S256' }
    expect((await token(await codeOf(wish), { code_verifier: 'other words' })).status).to.equal(400)
    expect((await token(await codeOf(wish), { code_verifier: 'secret words' })).status).to.equal(200)
  })

  it('tells who the token belongs to, until it is revoked', async () => {
    const { access_token: granted } = (await (await token(await codeOf())).json()) as any
    const me = () => fetch(`${sandbox.url}/api/v10/users/@me`, { headers: { authorization: `Bearer ${granted}` } })
    expect(((await (await me()).json()) as any).id).to.equal(member)
    await post('/oauth2/token/revoke', { token: granted })
    expect((await me()).status).to.equal(401)
  })

  it('refuses unknown applications and addresses that are none', async () => {
    expect((await authorize({ client_id: '1' })).status).to.equal(400)
    expect((await authorize({ redirect_uri: 'javascript:alert(1)' })).status).to.equal(400)
  })
})
