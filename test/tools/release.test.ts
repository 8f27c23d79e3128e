import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeRelease } from '../../tools/release.ts'
import { temporaryFolder } from '../support/database.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = ['package.json', 'package-lock.json', 'deploy/helm/Chart.yaml', 'CHANGELOG.md']
const CHANGES = '### Added\n\n- Polka.\n\n### Fixed\n\n- A waltz could stop.'
const DATE = '2027-01-05'

describe('npm run release', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())
  let made = 0

  /** A repository with the files of a release, all committed. */
  function repository(changes: string) {
    const root = join(folder.path, `repository-${made++}`)
    mkdirSync(join(root, 'deploy/helm'), { recursive: true })
    const run = (program: string, ...args: readonly string[]) =>
      execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    const read = (file: string) => readFileSync(join(root, file), 'utf8')
    const write = (file: string, text: string) => writeFileSync(join(root, file), text)
    const own = { name: 'bandstand', version: '1.2.0' }
    write('package.json', JSON.stringify(own, null, 2))
    write('package-lock.json', JSON.stringify({ ...own, lockfileVersion: 3, packages: { '': own } }, null, 2))
    write('deploy/helm/Chart.yaml', 'version: 0.1.0\nappVersion: 1.2.0\n')
    write(
      'CHANGELOG.md',
      `# Changelog\n\n## [Unreleased]\n\n${changes}\n\n## [1.2.0] - 2026-11-28\n\n### Added\n\n- Jazz.\n`,
    )
    run('git', 'init', '-q')
    run('git', 'config', 'user.name', 'Mira')
    run('git', 'config', 'user.email', 'mira@example.org')
    run('git', 'add', '.')
    run('git', 'commit', '-qm', 'start')
    return { root, run, read, write }
  }

  it('sets the version everywhere and dates the changes under Unreleased', () => {
    const { root, read } = repository(CHANGES)
    makeRelease(root, '1.10.0', DATE)
    const { version, packages } = JSON.parse(read('package-lock.json'))
    expect([JSON.parse(read('package.json')).version, version, packages[''].version]).to.deep.equal(
      Array.from({ length: 3 }, () => '1.10.0'),
    )
    expect(read('deploy/helm/Chart.yaml')).to.equal('version: 0.1.0\nappVersion: 1.10.0\n')
    expect(read('CHANGELOG.md')).to.include(`## [Unreleased]\n\n## [1.10.0] - ${DATE}\n\n${CHANGES}\n\n## [1.2.0]`)
  })

  it('prints commands that commit and tag the release with its changes', () => {
    const { root, run } = repository(CHANGES)
    const { tagText, commands } = makeRelease(root, '1.3.0', DATE)
    expect(tagText).to.equal(`Bandstand 1.3.0\n\n${CHANGES}\n`)
    expect(run('git', 'tag')).to.equal('')
    run('bash', '-ec', commands.join('\n'))
    expect(run('git', 'status', '--porcelain')).to.equal('')
    expect(run('git', 'tag', '-l', '--format=%(contents)', 'v1.3.0').trim()).to.equal(tagText.trim())
    expect(run('git', 'rev-parse', 'v1.3.0^{commit}')).to.equal(run('git', 'rev-parse', 'HEAD'))
  })

  it('refuses a tree with changes that are not committed', () => {
    const { root, read, write } = repository(CHANGES)
    write('new.txt', 'new')
    expect(() => makeRelease(root, '1.3.0', DATE)).to.throw('Commit or stash')
    expect(JSON.parse(read('package.json')).version).to.equal('1.2.0')
  })

  for (const version of ['', '1.3', 'v1.3.0', '1.3.0; ls']) {
    it(`refuses the version "${version}"`, () => {
      const { root } = repository(CHANGES)
      expect(() => makeRelease(root, version, DATE)).to.throw('Name the version')
    })
  }

  it('refuses a version that is not above the last one', () => {
    const { root } = repository(CHANGES)
    for (const version of ['1.2.0', '1.1.9', '0.9.0'])
      expect(() => makeRelease(root, version, DATE)).to.throw('above 1.2.0')
  })

  for (const [title, changes, message] of [
    ['without changes', '', 'under headings'],
    ['with changes under no heading', '- Polka.', 'under headings'],
    ['with a heading of its own', '### New\n\n- Polka.', '"New" is no heading'],
    ['with an empty heading', '### Added\n\n### Fixed\n\n- A waltz.', 'Nothing is listed under "Added"'],
  ] as const) {
    it(`refuses a changelog ${title} and changes nothing`, () => {
      const { root, run } = repository(changes)
      expect(() => makeRelease(root, '1.3.0', DATE)).to.throw(message)
      expect(run('git', 'status', '--porcelain')).to.equal('')
    })
  }
})

describe('the version of Bandstand', () => {
  it('is the same in the manifest, the lock file, the chart and the newest heading of the changelog', () => {
    const [manifest = '', lockFile = '', chart = '', changelog = ''] = FILES.map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    )
    const { version } = JSON.parse(manifest)
    const lock = JSON.parse(lockFile)
    expect([lock.version, lock.packages[''].version]).to.deep.equal([version, version])
    expect(/^appVersion: (.+)$/m.exec(chart)?.[1]).to.equal(version)
    expect(/^## \[(\d.+?)\] - \d{4}-\d\d-\d\d$/m.exec(changelog)?.[1]).to.equal(version)
  })
})
