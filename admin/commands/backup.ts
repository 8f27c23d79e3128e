import { resolve } from 'node:path'
import { Command } from 'commander'
import { backUp, restore } from '../../db/engine/backup.ts'
import { findHolder } from '../../db/engine/lock.ts'
import { countUnopened } from '../../db/engine/reseal.ts'
import { Fault } from '../../lib/errors.ts'
import type { AdminContext } from '../context.ts'
import { fields } from '../words.ts'

interface Json {
  readonly json?: boolean
}

const BACKUP_HELP = `
It holds projects, hashed keys, sealed bot tokens, players, settings, usage. It does not hold:
  token.key   the key to the bots' tokens. Keep a copy of it, apart from the backups: whoever has both has the tokens.
  library/    your own music, and caches that are made anew.`

const FORMER_KEY = 'Put the key of then as a further line into token.key, or add the bots again with their tokens.'

/** A copy of the database that is whole, made while the service runs. */
export function backupCommand(desk: AdminContext): Command {
  return new Command('backup')
    .description('write the database into a file, while the service runs or not')
    .argument('<file>', 'the file to write; it must not be there yet')
    .addHelpText('after', BACKUP_HELP)
    .action(async (file: string, options: Json) => {
      const facts = await backUp(desk.database(), resolve(file))
      desk.show(options, facts, fields({ ...facts }))
      desk.note('Keep a copy of token.key too, in another place: without it the bots need their tokens again.')
    })
}

/** The way back. */
export function restoreCommand(desk: AdminContext): Command {
  return new Command('restore')
    .description('put a backup in the place of the database; the service must be stopped, the former one is kept')
    .argument('<file>', 'a file that `backup` wrote, by this version or an earlier one')
    .action((file: string, options: Json) => {
      const { dataDir } = desk.config()
      const holder = findHolder(dataDir)
      if (holder) {
        throw new Fault('conflict', `The service (process ${holder.pid}) uses ${dataDir}. Stop it, then restore.`)
      }
      const result = restore(dataDir, resolve(file), Date.now())
      desk.show(options, result, fields({ restored: resolve(file), former: result.former }))
      const lost = countUnopened(desk.database(), desk.vault())
      if (lost > 0) desk.note(`${lost} secrets in it were sealed with another key. ${FORMER_KEY}`)
    })
}
