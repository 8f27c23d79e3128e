import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { assetFor } from '../../../service/admin/yt-dlp-release.ts'
import { admin } from '../../support/admin.ts'
import { closing } from '../../support/closing.ts'
import { temporaryFolder } from '../../support/database.ts'
import { makeFakeYtDlp } from '../../support/upstreams/fake-ytdlp.ts'
import { eventually, startService } from '../../support/service.ts'
import { startStandIn } from '../../support/upstreams/stand-in.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const ASSET = assetFor(process.platform, process.arch, false) ?? ''
const FORMER = '#!/bin/sh\necho 2025.01.01\n'

describe('admin source update yt-dlp', () => {
  const own = closing()
  let dataDir: string
  let programs: string
  let works: string

  beforeEach(() => {
    const folder = temporaryFolder()
    own({ close: () => folder.remove() })
    dataDir = join(folder.path, 'data')
    programs = join(dataDir, 'programs')
    works = readFileSync(makeFakeYtDlp(folder.path).path, 'utf8')
  })

  /** A release of one program, as the site of yt-dlp's releases redirects to it. */
  async function publish(program: string, listed = program, folder = '') {
    const sha256 = createHash('sha256').update(listed).digest('hex')
    let downloads = 0
    const service = own(
      await startStandIn(({ path }) => {
        if (!path.startsWith(folder) && !path.startsWith('/download/')) return undefined
        if (path.startsWith(`${folder}/latest/download/`)) {
          return { status: 302, headers: { location: path.replace('/latest/download/', '/download/2026.11.22/') } }
        }
        if (path.endsWith('/SHA2-256SUMS')) return { text: `${'0'.repeat(64)}  yt-dlp\n${sha256}  ${ASSET}\n` }
        if (path.endsWith(`/${ASSET}`)) {
          downloads += 1
          return { text: program }
        }
      }),
    )
    const env = {
      ...upstreamUrls({ 'yt-dlp-releases': service.url }),
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
      PATH: process.env['PATH'] ?? '',
    }
    const run = (...args: string[]) => admin(['source', ...args, '--json'], { dataDir, env })
    const named = { ...env, MUSIC_SOURCES: 'library,youtube' }
    const stateOf = async (given = named) => {
      const { json } = await admin(['source', 'list', '--json'], { dataDir, env: given })
      return json.find(({ name }: { name: string }) => name === 'youtube').state
    }
    return {
      sha256,
      url: service.url,
      downloads: () => downloads,
      run,
      stateOf,
      stateInSandbox: () => stateOf({ ...env, MUSIC_SOURCES: '' }),
    }
  }

  function installFormer(): void {
    mkdirSync(programs, { recursive: true })
    writeFileSync(join(programs, 'yt-dlp'), FORMER, { mode: 0o755 })
  }
  const present = () => readFileSync(join(programs, 'yt-dlp'), 'utf8')

  it('fetches the program of this machine, and the service finds it before the PATH', async () => {
    const { run, stateOf, stateInSandbox, sha256 } = await publish(works)
    const { code, json, stderr } = await run('update', 'yt-dlp')
    expect(code, stderr).to.equal(0)
    const path = join(programs, 'yt-dlp')
    expect(json).to.deep.equal({ path, former: null, version: '2026.11.22', sha256 })
    expect(statSync(path).mode & 0o777).to.equal(0o755)
    expect(await stateOf()).to.equal('ready')
    // The sandbox's bot asks no site of music.
    expect(await stateInSandbox()).to.equal('off')
  })

  it('keeps the former one, which can be put back', async () => {
    installFormer()
    const { run } = await publish(works)
    const { json } = await run('update', 'yt-dlp')
    expect([present(), readFileSync(json.former, 'utf8')]).to.deep.equal([works, FORMER])
    expect((await run('rollback', 'yt-dlp')).json.version).to.equal('2025.01.01')
    expect([present(), readFileSync(json.former, 'utf8')]).to.deep.equal([FORMER, works])
  })

  it('changes nothing where what came is not what the release lists', async () => {
    installFormer()
    const { run } = await publish(works, 'another program')
    const { code, stderr } = await run('update', 'yt-dlp')
    expect([code, present()]).to.deep.equal([1, FORMER])
    expect(stderr).to.include("doesn't match the release")
    expect([existsSync(join(programs, 'yt-dlp.new')), existsSync(join(programs, 'yt-dlp.former'))]).to.not.include(true)
  })

  it('goes back to the former one where the new one finds nothing, unless it is taken untried', async () => {
    installFormer()
    const broken = '#!/bin/sh\necho broken >&2\nexit 1\n'
    const { run } = await publish(broken)
    const { code, stderr } = await run('update', 'yt-dlp')
    expect([code, present()]).to.deep.equal([1, FORMER])
    expect(stderr).to.include('failed its test against YouTube')
    expect((await run('update', 'yt-dlp', '--untried')).code).to.equal(0)
    expect(present()).to.equal(broken)
  })

  it('leaves the newest one in place, without another download', async () => {
    const { run, downloads } = await publish(works)
    const first = await run('update', 'yt-dlp', '--if-new')
    const second = await run('update', 'yt-dlp', '--if-new')
    expect([first.code, second.code, downloads()]).to.deep.equal([0, 0, 1])
    expect(second.json).to.deep.equal({ ...first.json, former: null })
  })

  it('fetches nightly builds from their own place', async () => {
    const { url } = await publish(works, works, '/yt-dlp-nightly-builds/releases')
    const env = {
      ...upstreamUrls({ 'yt-dlp-releases': `${url}/yt-dlp/releases` }),
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
      PATH: process.env['PATH'] ?? '',
    }
    const args = ['source', 'update', 'yt-dlp', '--json']
    expect((await admin(args, { dataDir, env })).code).to.equal(1)
    expect((await admin(args, { dataDir, env: { ...env, YTDLP_UPDATES: 'nightly' } })).json.version).to.equal(
      '2026.11.22',
    )
  })

  it('is run by a service that is told to, soon after its start', async function () {
    this.timeout(120_000)
    const { url } = await publish(works)
    const env = {
      ...upstreamUrls({ 'yt-dlp-releases': url }),
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
      MUSIC_SOURCES: 'library,youtube',
      SOURCE_CANARY: 'off',
      YTDLP_UPDATES: 'stable',
    }
    const service = await startService({ env, hasTracks: false })
    const installed = join(service.dataDir, 'programs', 'yt-dlp')
    await eventually(() => existsSync(installed), Boolean, 60_000)
    expect(readFileSync(installed, 'utf8')).to.equal(works)
    await service.stop()
  })

  it('says so where there is no former one', async () => {
    const { run } = await publish(works)
    expect((await run('rollback', 'yt-dlp')).stderr).to.include('no previous yt-dlp')
  })

  it('knows the programs of each release', () => {
    expect(assetFor('linux', 'x64', false)).to.equal('yt-dlp_linux')
    expect(assetFor('linux', 'arm64', true)).to.equal('yt-dlp_musllinux_aarch64')
    expect(assetFor('darwin', 'arm64', false)).to.equal('yt-dlp_macos')
    expect(assetFor('win32', 'x64', false)).to.equal(null)
  })
})
