// Makes this machine ready: npm packages, then the programs that Bandstand calls. Plain JavaScript without
// dependencies, since it runs before anything is installed and on the Node of the machine.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagesOfSmall } from './setup/packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const NOTO = '/usr/share/fonts'
const MOST_WAIT_MS = 10 * 60_000
/** The oldest that runs TypeScript as Bandstand is written. */
const NODE_MAJOR = 24
/** npm leaves out optional packages that its Node is too old for, such as the program inside of sharp. */
const OLDEST_MAJOR = 20

/** Any of `commands`, or any of `files`, will do; `packages` are tried in order; `without` names the loss. */
const PROGRAMS = [
  { commands: ['ffmpeg'], packages: ['ffmpeg'], without: 'only 48 kHz Opus files can be played' },
  {
    commands: ['bwrap'],
    packages: ['bubblewrap'],
    without: 'ffmpeg runs with the view of files and the network that the service has',
  },
  {
    commands: ['redis-server', 'valkey-server'],
    packages: ['redis-server', 'valkey-server'],
    without: 'request limits are forgotten at every restart, and there are no screenshots and renders',
  },
  {
    commands: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    packages: ['chromium-headless-shell', 'chromium'],
    without: 'no screenshots of web pages can be made',
  },
  {
    files: [`${NOTO}/truetype/noto/NotoSans-Regular.ttf`, `${NOTO}/noto/NotoSans-Regular.ttf`],
    packages: ['fonts-noto-core'],
    without: 'pictures lack the letters of many scripts, such as Arabic and Devanagari',
  },
  {
    files: [`${NOTO}/opentype/noto/NotoSansCJK-Regular.ttc`, `${NOTO}/noto-cjk/NotoSansCJK-Regular.ttc`],
    packages: ['fonts-noto-cjk'],
    without: 'pictures lack Chinese, Japanese and Korean letters',
  },
  {
    files: [`${NOTO}/truetype/noto/NotoColorEmoji.ttf`, `${NOTO}/noto/NotoColorEmoji.ttf`],
    packages: ['fonts-noto-color-emoji'],
    without: 'pictures lack emoji',
  },
]

/** Further programs for tests: installing has no effect on the service, and the packages of npm are there already. */
const TEST_PROGRAMS = [
  {
    // Debian keeps them out of PATH, in a folder for each version.
    commands: ['initdb', 'pg_ctlcluster'],
    packages: ['postgresql'],
    without: 'tests with a PostgreSQL server skip',
  },
]

/** Further programs for the generated clients; only `npm run test:clients` has them installed. */
const CLIENT_PROGRAMS = [
  { commands: ['java'], packages: ['default-jre-headless'], without: 'no Python client can be generated' },
  ...['urllib3', 'dateutil', 'six', 'certifi'].map((name) => ({
    files: [`/usr/lib/python3/dist-packages/${name}`, `/usr/lib/python3/dist-packages/${name}.py`],
    packages: [`python3-${name}`],
    without: 'the generated Python client cannot run, unless your own Python has it',
  })),
]

/** The bot that comes from Debian; only `npm run test:foreign` has it installed. */
const FOREIGN_PROGRAMS = ['discord', 'nacl'].map((name) => ({
  files: [`/usr/lib/python3/dist-packages/${name}/__init__.py`],
  packages: [`python3-${name}`],
  without: 'the tests of discord.py skip',
}))

let hasTurn = false

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_MAJOR) {
  fail(
    `This is Node ${process.versions.node}; the set-up needs Node ${OLDEST_MAJOR} or newer: https://nodejs.org/en/download`,
  )
}
const isForClients = process.argv.includes('--clients')
const isForTests = process.argv.includes('--tests')
// A small installation stays one for the admin program and the renderer, until `npm start` or a test wants all.
const SMALL_MARK = join(root, 'node_modules', '.small')
const wantsAll = ['--all', '--tests', '--clients', '--foreign'].some((flag) => process.argv.includes(flag))
if (process.argv.includes('--small') || (!wantsAll && existsSync(SMALL_MARK))) installSmall()
else installPackages(root)
if (isForClients) installPackages(join(root, 'test', 'clients'))
// Some of their optional packages for other systems were never published, which `npm ci` takes for a wrong lock file.
const isForForeign = process.argv.includes('--foreign')
if (isForForeign) installPackages(join(root, 'test', 'foreign'), ['install', '--no-save'])
installPrograms([
  ...PROGRAMS,
  ...(isForTests ? TEST_PROGRAMS : []),
  ...(isForClients ? CLIENT_PROGRAMS : []),
  ...(isForForeign ? FOREIGN_PROGRAMS : []),
])

/** Two that install into one folder at the same time would take each other's files away. */
function waitForTurn() {
  if (hasTurn) return
  hasTurn = true
  const turn = join(root, '.setup-turn')
  for (let waitedMs = 0; !take(turn); waitedMs += 500) {
    if (waitedMs === 0) say('waiting for another setup in this folder …')
    if (waitedMs > MOST_WAIT_MS) fail(`Another setup does not end. If there is none, remove ${turn}.`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
  process.on('exit', () => rmSync(turn, { force: true }))
}

/** @returns whether it is ours; what a setup that was killed left behind does not count. */
function take(turn) {
  try {
    writeFileSync(turn, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isAlive(turn)) rmSync(turn, { force: true })
  return false
}

function isAlive(turn) {
  try {
    // Empty for a moment, before its maker has written into it.
    const pid = Number(readFileSync(turn, 'utf8'))
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function installPackages(folder, command = ['ci']) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  if (areInstalled(folder, packages)) return
  waitForTurn()
  if (areInstalled(folder, packages)) return
  runNpm(folder, command)
}

function runNpm(folder, command) {
  say('installing npm packages …')
  const isOurs = folder === root
  if (isOurs && isMusl()) assertOwnNode()
  npm(folder, [...command, ...(isOurs || isMusl() ? ['--ignore-scripts'] : [])])
  // npm before 11 runs the scripts of all, of which one compiles for minutes what it has brought along. This alone is needed.
  if (isOurs && !isMusl()) npm(folder, ['rebuild', 'node'])
}

function npm(folder, command) {
  const { status } = spawnSync('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    env: withoutNpmSettings(),
  })
  if (status !== 0)
    fail(`\`npm ${command[0]}\` failed; the lines above say why. Run \`npm start\` again when it is mended.`)
}

/** Without tests' packages and those that `optionalDependencies` name. npm would leave out the builds of sharp with them. */
function installSmall() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const needed = packagesOfSmall(packages)
  const small = Object.fromEntries(Object.entries(packages).filter(([path]) => needed.has(path)))
  if (areInstalled(root, small)) return
  waitForTurn()
  if (!areInstalled(root, small)) runNpm(root, ['ci', '--omit=dev'])
  for (const path of Object.keys(packages)) {
    if (path.startsWith('node_modules/') && !needed.has(path))
      rmSync(join(root, path), { recursive: true, force: true })
  }
  writeFileSync(SMALL_MARK, '')
}

/**
 * The package `node` has builds for glibc alone. On musl, as in Alpine, the Node of the system runs Bandstand: without its
 * script, that package installs no program, and `node_modules/.bin` has none that would come first.
 */
function assertOwnNode() {
  if (major >= NODE_MAJOR) return
  fail(
    `This system has Node ${process.versions.node}. With musl as its C library it needs Node ${NODE_MAJOR} of its own.`,
  )
}

function isMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}

/**
 * Whether every package of the lock file is there in its version: by npm's own list of what it has installed, and by the
 * folders, which an interrupted install leaves out. Optional packages may be for other systems.
 */
function areInstalled(folder, packages) {
  const list = join(folder, 'node_modules', '.package-lock.json')
  const lacksNode = folder === root && !isMusl() && !existsSync(join(folder, 'node_modules', 'node', 'bin', 'node'))
  if (lacksNode || !existsSync(list)) return false
  const { packages: installed } = JSON.parse(readFileSync(list, 'utf8'))
  return Object.entries(packages).every(([path, { optional, version }]) => {
    if (path === '' || (optional && !installed[path])) return true
    return installed[path]?.version === version && existsSync(join(folder, path, 'package.json'))
  })
}

/** The settings that npm hands to its scripts would make the inner npm act on the outer one's command. */
function withoutNpmSettings() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(command|lifecycle|package|execpath|node)/.test(name)),
  )
}

function installPrograms(programs) {
  const missing = programs.filter((program) => !isThere(program))
  if (missing.length === 0) return
  const names = missing.map(nameOf).join(', ')
  const prefix = aptPrefix()
  if (prefix) {
    say(`installing ${names} with apt …`)
    run([...prefix, 'apt-get', 'update', '-qq'])
    for (const program of missing) installProgram(prefix, program)
  }
  for (const program of missing.filter((it) => !isThere(it))) {
    say(`${nameOf(program)} is missing: ${program.without}.`)
  }
  if (!prefix)
    say(`To install what is missing: sudo apt-get install ${missing.flatMap((it) => it.packages[0]).join(' ')}`)
}

function installProgram(prefix, program) {
  for (const name of program.packages) {
    run([
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      name,
    ])
    if (isThere(program)) return
  }
}

function isThere({ commands = [], files = [] }) {
  return commands.some(onPath) || files.some((file) => existsSync(file))
}

function nameOf({ commands, packages }) {
  return commands?.[0] ?? packages[0]
}

/** The command that runs apt here, or null if we may not. */
function aptPrefix() {
  if (!onPath('apt-get')) return null
  if (process.getuid?.() === 0) return []
  if (onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo', '-n']
  return null
}

function run([command, ...args]) {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 2] }).status === 0
}

function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}
