import { connectAs } from './connection.js'
import { start } from './player.js'

const { guild, csrf } = document.documentElement.dataset
connectAs({ guildId: guild, csrf })
start()
