// Points a bot of discord.js or @discordjs/core at a stand-in Discord, its own code untouched:
//   SANDBOX_URL=http://127.0.0.1:8090 NODE_OPTIONS='--import /path/to/sandbox/foreign-bot.mjs' npm start
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const LIBRARY = '@discordjs/rest'

/** The copies that the bot itself has: its own, and that of each package which may bring one. */
function findCopies() {
  const fromBot = createRequire(join(process.cwd(), 'package.json'))
  const starts = ['discord.js', '@discordjs/core'].flatMap((name) => find(fromBot, name))
  return [fromBot, ...starts.map((path) => createRequire(path))].flatMap((from) => find(from, LIBRARY))
}

function find(from, name) {
  try {
    return [from.resolve(name)]
  } catch {
    return []
  }
}

const copies = new Set(findCopies())
for (const path of copies) {
  // Code that imports it gets another file with defaults of its own than code that requires it.
  for (const file of [path, path.replace(/\.js$/, '.mjs')]) {
    if (!existsSync(file)) continue
    const { DefaultRestOptions } = await import(pathToFileURL(file).href)
    // oxlint-disable-next-line no-restricted-properties -- it runs in the process of a foreign bot
    DefaultRestOptions.api = `${process.env.SANDBOX_URL}/api`
  }
}
if (copies.size === 0) {
  process.stderr.write(`The sandbox found no ${LIBRARY} in ${process.cwd()}: this process would call Discord itself.\n`)
}
