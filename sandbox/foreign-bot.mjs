// Points a discord.js bot at a stand-in Discord, its own code untouched:
//   SANDBOX_URL=http://127.0.0.1:8090 NODE_OPTIONS='--import /path/to/sandbox/foreign-bot.mjs' npm start
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The copy that the bot itself has.
const { DefaultRestOptions } = createRequire(join(process.cwd(), 'package.json'))('discord.js')
// oxlint-disable-next-line no-restricted-properties -- it runs in the process of a foreign bot
DefaultRestOptions.api = `${process.env.SANDBOX_URL}/api`
