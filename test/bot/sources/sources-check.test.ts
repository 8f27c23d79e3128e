import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'
import { closing } from '../../support/closing.ts'
import { startLongLists, type LongLists } from '../../support/upstreams/long-lists.ts'

const root = join(import.meta.dirname, '..', '..', '..')

describe('npm run sources:check', () => {
  const own = closing()
  let sites: LongLists
  beforeEach(async () => {
    sites = own(await startLongLists())
  })

  const check = (only: string) =>
    new Promise<{ code: number; lines: readonly string[] }>((resolve) => {
      const { url } = sites
      const urls = upstreamUrls({ deezer: url, itunes: url, 'apple-music': url })
      const env = { ...urls, PATH: process.env['PATH'], EGRESS_ALLOW_HOSTS: '127.0.0.1', UPSTREAM_TIMEOUT_MS: '5000' }
      const args = ['tools/sources/check.ts', '--only', only]
      execFile(process.execPath, args, { cwd: root, env }, (error, output) => {
        const lines = output.trim().split('\n')
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, lines })
      })
    })

  it('ends with 0 where each site answers as recorded, and tells how much of each list came', async () => {
    const { code, lines } = await check('deezer')
    expect(code, lines.join('\n')).to.equal(0)
    expect(lines.find((line) => line.includes('link: album'))).to.match(/ ok .* 5000 of 302,127 tracks$/)
    expect(lines.at(-1)).to.equal('10 checks: 0 changed, 0 unreachable, 0 skipped.')
  })

  it('ends with 1 and names the site and the field where one changed', async () => {
    sites.answerAll({ json: { id: 7, title: 'Song', duration: '3:20', tracks: {}, data: [] } })
    const { code, lines } = await check('deezer')
    expect(code).to.equal(1)
    const track = lines.find((line) => line.startsWith('deezer') && line.includes('answer: track'))
    expect(track).to.match(/ changed .* duration is a string, not a number; artist is missing; album is missing/)
    expect(lines.find((line) => line.includes('answer: playlist'))).to.match(
      /nb_tracks is missing; tracks.data is missing/,
    )
  })

  it('ends with 2 where a site is out of reach and nothing changed', async () => {
    sites.answerAll({ status: 500, json: {} })
    const { code, lines } = await check('deezer,apple')
    expect([code, lines.at(-1)]).to.deep.equal([2, '19 checks: 0 changed, 19 unreachable, 0 skipped.'])
  })
})
