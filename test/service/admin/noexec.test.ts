import { expect } from 'chai'
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assetFor } from '../../../service/admin/yt-dlp-release.ts'
import type { Finding } from '../../../service/admin/doctor/check.ts'
import { closing } from '../../support/closing.ts'
import { makeFakeYtDlp } from '../../support/upstreams/fake-ytdlp.ts'
import { startStandIn } from '../../support/upstreams/stand-in.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ASSET = assetFor(process.platform, process.arch, false) ?? ''
/** A command that runs with a mount of its own, which ends with it. */
const MOUNTED = ['-m', 'sh', '-c', 'mount -t tmpfs -o noexec tmpfs "$1" && shift && exec "$@"', 'sh']

/** Docker mounts the `tmpfs` of a container so. Root alone may mount one. */
describe('yt-dlp where /tmp forbids programs', function () {
  const own = closing()
  let folder: string
  let dataDir: string

  before(function () {
    if (spawnSync('unshare', [...MOUNTED, '/tmp', 'true']).status === 0) return
    console.warn('        skipped: this user cannot mount a file system that forbids programs')
    this.skip()
  })
  beforeEach(() => {
    // The folder is outside /tmp, which the mount covers.
    folder = mkdtempSync('/var/tmp/bandstand-')
    dataDir = join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Unpacks the program that it runs, like PyInstaller's. If killed, it would leave that behind. */
  function selfUnpacking(): string {
    const { path } = makeFakeYtDlp(folder)
    chmodSync(path, 0o644)
    return `#!/bin/sh
unpacked=$(mktemp -d) || exit 1
printf '#!/bin/sh\\nexec ${process.execPath} ${path} "$@"\\n' > "$unpacked/program"
chmod 700 "$unpacked/program"
exec "$unpacked/program" "$@"
`
  }

  async function publish(program: string): Promise<string> {
    const sha256 = createHash('sha256').update(program).digest('hex')
    const service = own(
      await startStandIn(({ path }) => {
        if (path.endsWith('/SHA2-256SUMS')) return { text: `${sha256}  ${ASSET}\n` }
        if (path.endsWith(`/${ASSET}`)) return { text: program }
      }),
    )
    return service.url
  }

  function adminWith(mountPoint: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { PATH = '' } = process.env
    const command = [process.execPath, 'service/admin/main.ts', ...args, '--json']
    const options = {
      cwd: ROOT,
      env: { PATH, DATA_DIR: dataDir, PORT: '0', DISCORD_API_URL: 'http://127.0.0.1:1', ...env },
    }
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile('unshare', [...MOUNTED, mountPoint, ...command], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
  }

  async function seen(mountPoint: string): Promise<Finding | undefined> {
    const { stdout, stderr } = await adminWith(mountPoint, ['doctor'], { MUSIC_SOURCES: 'youtube' })
    expect(stdout, stderr).to.not.equal('')
    return (JSON.parse(stdout) as readonly Finding[]).find(({ name }) => name === 'yt-dlp')
  }

  it('is installed, searches, opens a video and starts for the doctor, and leaves nothing behind', async () => {
    const left = join(dataDir, 'programs', 'tmp', 'run-killed')
    mkdirSync(left, { recursive: true, mode: 0o700 })
    utimesSync(left, 0, 0)
    const releases = upstreamUrls({ 'yt-dlp-releases': await publish(selfUnpacking()) })
    const env = { ...releases, EGRESS_ALLOW_HOSTS: '127.0.0.1' }
    const { code, stdout, stderr } = await adminWith('/tmp', ['source', 'update', 'yt-dlp'], env)
    expect(code, stderr).to.equal(0)
    expect(JSON.parse(stdout).version).to.equal('2026.11.22')
    expect(await seen('/tmp')).to.include({ verdict: 'ok', found: '2026.11.22' })
    expect(readdirSync(join(dataDir, 'programs', 'tmp'))).to.deep.equal([])
    expect(statSync(join(dataDir, 'programs', 'tmp')).mode & 0o777).to.equal(0o700)
    expect(existsSync(left)).to.equal(false)
    expect(readFileSync(join(folder, 'yt-dlp.log'), 'utf8').trim().split('\n')).to.have.length(2)
  })

  it('has the doctor say so where DATA_DIR forbids programs too', async () => {
    const found = await seen(dataDir)
    expect(found).to.include({ verdict: 'fail', advice: 'Mount DATA_DIR without noexec.' })
    expect(found?.found).to.include('forbids programs')
  })
})
